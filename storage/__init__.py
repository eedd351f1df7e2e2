"""What the bot knows: values in, values out. The only place that knows SQL."""
