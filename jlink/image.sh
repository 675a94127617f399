# Links the runtime image. Part of build.sh.

IMAGE=out/image
# Where the image is mounted or installed; bin/lvms names it, because a #! line takes no relative path.
readonly PREFIX="${LVMS_PREFIX:-/opt/lvms}"
readonly LAUNCHERS="lvms lvms-operator lvms-vgmanager lvmd"
# TopoLVM's programs, and whose arguments of java fit them.
readonly TOPOLVM_LAUNCHERS="hypertopolvm=lvms-operator
    topolvm-controller=lvms-operator topolvm-node=lvms-vgmanager topolvm-scheduler=lvms-operator"

## image      link the runtime image in out/image, print its size and modules
target_image() {
    link_image
    have_caches
    launcher_arguments $IMAGE/lib
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
    cp jlink/launch/logging.properties $IMAGE/lib
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

# bin/lvms needs no shell: the kernel runs java with one argument file, and java sees the path it was called by.
# The commit is among the arguments, not in lib/modules: another commit needs no other AOT caches.
install_launchers() {
    local kind pair commit
    commit=$(source_commit)
    if [ "$(cat $IMAGE.commit 2>/dev/null)" = "$commit" ]; then return 0; fi
    for kind in $LAUNCHERS; do
        printf '#!%s/bin/java @%s/lib/%s.args\n' "$PREFIX" "$PREFIX" "$kind" >"$IMAGE/bin/$kind"
        chmod 0755 "$IMAGE/bin/$kind"
    done
    launcher_arguments $IMAGE/lib
    for pair in $TOPOLVM_LAUNCHERS; do
        cp "$IMAGE/bin/${pair#*=}" "$IMAGE/bin/${pair%=*}"
    done
    say "$commit" >$IMAGE.commit
}

# launcher_arguments FOLDER: writes what java is called with. A JVM complains about a cache that is not there, on its
# standard output, so it is only named where the folder has it.
launcher_arguments() {
    local folder=$1 kind commit left='^#'
    commit=$(source_commit)
    if [ ! -e "$folder/server.aot" ]; then left='^#|^-XX:AOTCache='; fi
    for kind in $LAUNCHERS; do
        sed --regexp-extended "s|@PREFIX@|$PREFIX|g; s|@COMMIT@|$commit|; /$left/d" \
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
