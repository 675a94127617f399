#!/bin/sh
# Starts a program of lvms with the java beside this file, wherever the folder is and whatever link leads here.
# The first word that java gets is the name that was called: it chooses the command.
program=$(readlink -f "$0") || exit 127
bin=${program%/*}
lib=${bin%/*}/lib
cache=$lib/@CACHE@
# A JVM complains about a missing cache, on its standard output.
if [ ! -f "$cache" ]; then cache=; fi
exec "$bin/java" ${cache:+"-XX:AOTCache=$cache"} "@$lib/@KIND@.args" "/${0##*/}" "$@"
