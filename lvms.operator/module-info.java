/**
 * The operator: LVMCluster controller, and the CSI controller side.
 *
 * <p>It never touches a disk; it meets the node agent only through API objects.
 */
module lvms.operator {
    requires transitive lvms.api;
    requires transitive lvms.k8s;
    requires lvms.csi;

    exports lvms.operator;
    exports lvms.operator.admission;
    exports lvms.operator.adoption;
    exports lvms.operator.agent;
    exports lvms.operator.certificate;
    exports lvms.operator.cluster;
    exports lvms.operator.informer;
    exports lvms.operator.inspection;
    exports lvms.operator.nativestor;
    exports lvms.operator.openshift;
    exports lvms.operator.overview;
    exports lvms.operator.page;
    exports lvms.operator.preflight;
    exports lvms.operator.preview;
    exports lvms.operator.scheduler;
    exports lvms.operator.takeover;
    exports lvms.operator.uninstall;
    exports lvms.operator.unit;
    exports lvms.operator.volume;
}
