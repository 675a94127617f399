/** The launcher: reads flags, builds the objects of one subcommand and starts them. */
module lvms {
    requires java.logging;
    requires jdk.jfr;
    requires jdk.management;
    requires lvms.csi;
    requires lvms.node;
    requires lvms.operator;
}
