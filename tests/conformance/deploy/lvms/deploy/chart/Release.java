package lvms.deploy.chart;

import lvms.tests.cluster.Cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The release {@code topolvm} of the chart on a cluster.
 *
 * @param folder for the values
 */
record Release(Helm helm, Path folder) {
    /** The class {@code ssd} of a group that a person made; its StorageClass is {@code fast}. */
    static final String VALUES =
            """
            controller: {replicaCount: 1}
            lvmd:
              managed: false
              deviceClasses:
                - {name: ssd, volume-group: myvg1, default: true, spare-gb: 1}
            node: {lvmdEmbedded: true}
            storageClasses:
              - name: fast
                storageClass:
                  volumeBindingMode: WaitForFirstConsumer
                  allowVolumeExpansion: true
                  fsType: ext4
                  additionalParameters: {topolvm.io/device-class: ssd}
            """;

    static Release of(Cluster cluster, Path folder) throws IOException {
        return new Release(new Helm(cluster.kubeconfig(), folder), folder);
    }

    /** Installs or upgrades it by these values. */
    void apply(String verb, String values, String... more)
            throws IOException, InterruptedException {
        var file = Files.writeString(folder.resolve("values.yaml"), values);
        var words = new ArrayList<>(List.of(more));
        words.add("--values=" + file);
        helm.succeed(Helm.command(verb, words.toArray(String[]::new)));
    }

    void uninstall() throws IOException, InterruptedException {
        helm.succeed("uninstall", "topolvm", "--namespace=topolvm-system", "--wait");
    }
}
