/**
 * Custom resources of lvms as records, and the names that the cluster sees.
 *
 * <p>The records are views: they are read from an object and ignore fields that they do not know.
 * {@code deploy/base/crds/} has the same types as schemas, and a test compares the two.
 */
module lvms.api {
    requires transitive lvms.k8s;

    exports lvms.api;
    exports lvms.api.attribute;
    exports lvms.api.disk;
    exports lvms.api.filesystem;
    exports lvms.api.finding;
    exports lvms.api.listing;
    exports lvms.api.machine;
    exports lvms.api.nativestor;
    exports lvms.api.snapshot;
}
