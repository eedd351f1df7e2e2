def split_topics(t): return (t,)
def is_topic(t): return False
