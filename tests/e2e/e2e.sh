# What Kubernetes' own tests of storage need besides a cluster. Part of build.sh.

readonly E2E_IMAGES=out/e2e-images
readonly E2E_PROGRAMS=(/bin/dd /bin/bash)

# Builds the suite, and the images of the pods that it starts.
e2e_prepare() {
    conformance_programs "$(kubernetes_versions | head --lines=1)" e2e.test ginkgo agnhost
    e2e_images
}

# One layer serves for all images that the suite names: busybox, agnhost, and dd of the machine, since busybox' dd does
# not know all flags that the suite uses. The shell is bash: that of busybox runs its own dd, whatever is in PATH, and
# dash has no let.
e2e_images() {
    local programs agnhost
    programs=$(program_folder "$GO_MODULES/e2e")
    agnhost=$programs/agnhost
    if up_to_date $E2E_IMAGES/stamp tests/e2e/e2e.sh tests/cluster/cluster.sh "$agnhost" /bin/busybox \
        "${E2E_PROGRAMS[@]}"; then
        return 0
    fi
    rm --recursive --force $E2E_IMAGES
    mkdir --parents $E2E_IMAGES/root/tmp
    cluster_busybox $E2E_IMAGES/root/bin
    cp --remove-destination --dereference "${E2E_PROGRAMS[@]}" $E2E_IMAGES/root/bin
    ln --symbolic --force bash $E2E_IMAGES/root/bin/sh
    e2e_libraries "${E2E_PROGRAMS[@]}" | xargs cp --parents --dereference --target-directory $E2E_IMAGES/root
    cp "$agnhost" $E2E_IMAGES/root
    cluster_tar $E2E_IMAGES/root $E2E_IMAGES/layer.tar .
    cluster_image $E2E_IMAGES agnhost localhost/e2e/agnhost:1 '"Entrypoint": ["/agnhost"], "Cmd": ["pause"]'
    cluster_image $E2E_IMAGES busybox localhost/e2e/busybox:1 '"Cmd": ["sh"]'
    rm --recursive $E2E_IMAGES/root
    made $E2E_IMAGES/stamp
}

# The libraries of programs and their loader, a path each line.
e2e_libraries() { ldd "$@" | grep --only-matching '/lib[^ ]*' | sort --unique; }
