/**
 * What every gRPC service of lvms shares: a server on a Unix socket, kept small and closed to
 * others, the frame that calls run in, and the Identity service of the CSI driver.
 *
 * <p>System property: {@code lvms.commit}, the commit that the image was built from, which its
 * launchers set; default {@code unknown}.
 */
module lvms.csi {
    requires transitive lvms.api;
    requires transitive lvms.proto;

    exports lvms.csi;
}
