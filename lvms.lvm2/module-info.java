/**
 * The machine: typed LVM model and commands, block devices, mounts; every call into C.
 *
 * <p>It knows nothing of Kubernetes and can be used on its own: start with {@link
 * lvms.lvm2.command.LvmCommands#open}. It needs {@code --enable-native-access=lvms.lvm2}. It has no
 * system properties of its own; everything is set through {@link lvms.lvm2.LvmOptions}.
 */
@SuppressWarnings("module") // lint dislikes names that end in a digit
module lvms.lvm2 {
    requires com.google.gson;

    exports lvms.lvm2;
    exports lvms.lvm2.command;
    exports lvms.lvm2.content;
    exports lvms.lvm2.device;
    exports lvms.lvm2.label;
    exports lvms.lvm2.loop;
    exports lvms.lvm2.filesystem;
    exports lvms.lvm2.plan;
    exports lvms.lvm2.system;
}
