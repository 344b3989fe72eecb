# Milliseconds after which a browser's page does not come any more, on any computer
HANGS = 1_800_000
