"""A worker whose one format does what a document says: the faults that a library may have."""

import os
import time

from bot.profiles import reader, worker
from bot.profiles.format import PersonPage, Reading
from storage.records import Profile


class Faulty:
    NAME = "faulty"
    VERSION = 1

    def claims(self, name, content):
        return 1.0

    def read(self, content):
        match content.decode().split():
            case ["sleep"]:
                time.sleep(60)
            case ["spin"]:
                while True:
                    pass
            case ["crash"]:
                os.abort()
            case ["exit"]:
                os._exit(3)
            case ["raise"]:
                raise KeyError("Ada Byte")
            case ["memory"]:
                hoard = [bytearray(64 * 1024 * 1024) for _ in range(1_000)]
                raise AssertionError(len(hoard))
            case ["environment"]:
                return said(" ".join(sorted(os.environ)))
            case ["print"]:
                print("a library says something")
                os.write(1, b"so does one that is written in C")
        return said(content.decode())


def said(text):
    return Reading(pages=(PersonPage(profile=Profile(name=text), text=text),), parser="faulty/1")


if __name__ == "__main__":
    reader.FORMATS = (Faulty(),)
    worker.PROCESSOR = 1
    worker.main()
