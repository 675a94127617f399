# Links the runtime image. Part of build.sh.

IMAGE=out/image
# Where containers and hosts have the image; their launchers name it, because a #! line takes no relative path.
readonly PREFIX=/opt/lvms
readonly LAUNCHERS="lvms lvms-operator lvms-vgmanager lvmd"
# TopoLVM's programs, and whose arguments of java fit them.
readonly TOPOLVM_LAUNCHERS="hypertopolvm=lvms-operator
    topolvm-controller=lvms-operator topolvm-node=lvms-vgmanager topolvm-scheduler=lvms-operator"

## image      link the runtime image in out/image, print its size and modules
target_image() {
    link_image
    have_caches
}

# Trains the caches unless they are there, or where that cannot be done leaves them out and says so.
have_caches() {
    if [ "${LVMS_AOT:-yes}" = no ]; then
        rm --force $IMAGE.trained $IMAGE/lib/*.aot
        return 0
    fi
    # Here, so that it is seen when it cannot be fetched.
    if is_emulated && [ -e "$(qemu_lock)" ]; then pinned_folder qemu "$(machine_architecture)"; fi
    if [ -n "$(emulation_missing)" ]; then
        say "$IMAGE has no AOT caches, and its processes start later: $(emulation_missing)"
        return 0
    fi
    compile training
    if up_to_date $IMAGE.trained $IMAGE.linked tests/training; then return 0; fi
    if ! train_caches; then
        rm --force $IMAGE/lib/*.aot
        is_emulated || die "the AOT caches could not be trained: see out/training.log (LVMS_AOT=no does without)"
        say "$IMAGE has no AOT caches, and its processes start later: QEMU failed at it, see out/training.log"
        return 0
    fi
    made $IMAGE.trained
    print_image
}

# The image without AOT caches: the same sources give the same bytes.
link_image() {
    local stamp=$IMAGE.linked
    target_jars
    if ! up_to_date $stamp out/jars.stamp jlink/image.sh jlink/launch; then
        link_modules
        made $stamp
    fi
    install_launchers
}

link_modules() {
    find_jdk
    rm --recursive --force $IMAGE $IMAGE.trained $IMAGE.commit
    "$JDK/bin/jlink" --module-path "${JMODS:+$JMODS:}out/jars:out/modules" \
        --add-modules "lvms.proto,$(modules | paste --serial --delimiters=,)" \
        --output $IMAGE --compress zip-6 --no-header-files --no-man-pages --vm server
    rm --force $IMAGE/bin/jrunscript $IMAGE/bin/jwebserver $IMAGE/bin/keytool $IMAGE/bin/jfr
    install_epoll
    cp jlink/launch/logging.properties $IMAGE/conf # where java looks for it
}

# The JDK finds libraries in its own lib folder, so nothing is unpacked at run time.
install_epoll() {
    local jar library
    jar=$(realpath out/deps/grpc-netty-shaded-*.jar)
    library=libio_grpc_netty_shaded_netty_transport_native_epoll_$(netty_machine).so
    (cd $IMAGE/lib && "$JDK/bin/jar" --extract --file "$jar" "META-INF/native/$library" &&
        mv "META-INF/native/$library" . && rm --recursive META-INF)
}

netty_machine() { debian_architecture | sed 's/amd64/x86_64/; s/arm64/aarch_64/'; }

# The commit is among the arguments, not in lib/modules: another commit needs no other AOT caches.
install_launchers() {
    local commit
    commit=$(source_commit)
    if [ "$(cat $IMAGE.commit 2>/dev/null)" = "$commit" ]; then return 0; fi
    launchers folder_launcher $IMAGE/bin
    launcher_arguments $IMAGE/lib
    say "$commit" >$IMAGE.commit
}

# launchers WRITER FOLDER: writes all launchers by a function that prints one.
launchers() {
    local writer=$1 folder=$2 kind pair
    for kind in $LAUNCHERS; do
        "$writer" "$kind" >"$folder/$kind"
        chmod 0755 "$folder/$kind"
    done
    for pair in $TOPOLVM_LAUNCHERS; do
        cp "$folder/${pair#*=}" "$folder/${pair%=*}"
    done
}

# folder_launcher KIND: a shell script that finds its folder, which may lie anywhere.
folder_launcher() {
    local cache
    cache=$(sed --quiet 's|^-XX:AOTCache=@LIB@/||p' "jlink/launch/$1.args")
    sed "s|@KIND@|$1|; s|@CACHE@|$cache|" jlink/launch/launcher.sh
}

# fixed_launcher KIND: one line that needs no shell. The kernel runs java with the argument file, and java gets the path
# that was called as its first word.
fixed_launcher() { say "#!$PREFIX/bin/java @$PREFIX/lib/$1.args"; }

# launcher_arguments FOLDER [LIB]: writes the argument files. LIB is where a cache is named: a JVM complains about one
# that is not there, so it is only named if the folder has it. Without LIB the launcher names it.
launcher_arguments() {
    local folder=$1 lib=${2:-} kind commit left='^#'
    commit=$(source_commit)
    if [ -z "$lib" ] || [ ! -e "$folder/server.aot" ]; then left='^#|^-XX:AOTCache='; fi
    for kind in $LAUNCHERS; do
        sed --regexp-extended "s|@LIB@|$lib|g; s|@COMMIT@|$commit|; /$left/d" \
            jlink/launch/common.args "jlink/launch/$kind.args" >"$folder/$kind.args"
    done
}

# One cache for each kind of process; LVMS_AOT=no gives the same image without them.
train_caches() {
    find_jdk
    say "training the AOT caches"
    as_image "$JDK/bin/java" -XX:+UseSerialGC --class-path "$(class_path training)" \
        lvms.tests.training.Training $IMAGE >out/training.log 2>&1
}

megabytes() { du --total --block-size=1MB --apparent-size "$@" 2>/dev/null | awk 'END { print $1 }'; }

print_image() {
    say "image: $IMAGE, $(megabytes $IMAGE --exclude='*.aot') MB, and AOT caches: $(megabytes $IMAGE/lib/*.aot) MB"
    as_image "$IMAGE/bin/java" --list-modules | sed 's/^/  /'
}
