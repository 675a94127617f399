/**
 * What jlink does to the classes of the runtime image besides what it can do by itself. It offers
 * its plugin when it is loaded as an agent: jlink lets no module do so in its descriptor.
 */
module lvms.jlink {
    requires java.instrument;
    requires jdk.jlink;

    exports lvms.jlink;
}
