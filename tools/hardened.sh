#!/bin/sh
# Starts a program so that its memory reaches neither a disk nor a debugger: no core dump, no inspector by signal, no code
# made of text. A LIVE service refuses to start in any other way (decisions/hardening).
ulimit -c 0
NODE_OPTIONS="${NODE_OPTIONS:+$NODE_OPTIONS }--disable-sigusr1 --disallow-code-generation-from-strings"
export NODE_OPTIONS
exec "$@"
