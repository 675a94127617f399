package lvms.olm;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.io.IOException;
import java.util.List;

/**
 * A file-based catalogue with one bundle. Since a version skips all earlier ones, it needs no
 * other.
 *
 * @param bundle the newest one
 */
record Catalog(Bundle bundle) {
    /** What a console shows before the bundle is unpacked. */
    private static final List<String> SHOWN =
            List.of(
                    "description",
                    "displayName",
                    "installModes",
                    "keywords",
                    "maturity",
                    "minKubeVersion",
                    "provider");

    /** Returns the package, its channel and its bundle. */
    List<ObjectTree> documents() throws IOException {
        var graph = bundle.graph();
        var release = bundle.release();
        var head =
                ObjectTree.builder()
                        .put("name", graph.nameOf(release))
                        .put("replaces", graph.predecessor())
                        .put("skipRange", graph.skipRange(release))
                        .build();
        return List.of(
                ObjectTree.builder()
                        .put("schema", "olm.package")
                        .put("name", graph.packageName())
                        .put("defaultChannel", graph.channel())
                        .put("description", spec("description"))
                        .put(
                                "icon",
                                ObjectTree.builder()
                                        .put("base64data", bundle.icon().at("base64data"))
                                        .put("mediatype", bundle.icon().at("mediatype"))
                                        .build())
                        .build(),
                ObjectTree.builder()
                        .put("schema", "olm.channel")
                        .put("package", graph.packageName())
                        .put("name", graph.channel())
                        .put("entries", ListTree.of(head))
                        .build(),
                ObjectTree.builder()
                        .put("schema", "olm.bundle")
                        .put("name", graph.nameOf(release))
                        .put("package", graph.packageName())
                        .put("image", release.bundleImage())
                        .put("properties", properties())
                        .put("relatedImages", relatedImages())
                        .build());
    }

    private Tree spec(String field) {
        return bundle.serviceVersion().at("spec", field);
    }

    private ListTree properties() {
        var list = ListTree.builder();
        bundle.provided().forEach(type -> list.add(property("olm.gvk", type)));
        list.add(
                property(
                        "olm.package",
                        ObjectTree.builder()
                                .put("packageName", bundle.graph().packageName())
                                .put("version", bundle.release().version())
                                .build()));
        bundle.properties().forEach(list::add);
        return list.add(property("olm.csv.metadata", shown())).build();
    }

    private ObjectTree shown() {
        var metadata = bundle.serviceVersion().object("metadata").orElseThrow();
        var out =
                ObjectTree.builder()
                        .put("annotations", metadata.at("annotations"))
                        .put("apiServiceDefinitions", ObjectTree.EMPTY);
        var owned = ListTree.builder();
        for (var type :
                bundle.serviceVersion().objects("spec", "customresourcedefinitions", "owned")) {
            owned.add(type.without("specDescriptors").without("statusDescriptors"));
        }
        out.put("crdDescriptions", ObjectTree.EMPTY.with(owned.build(), "owned"));
        SHOWN.forEach(field -> out.put(field, spec(field)));
        return out.put("labels", metadata.at("labels")).build();
    }

    private static ObjectTree property(String type, Tree value) {
        return ObjectTree.builder().put("type", type).put("value", value).build();
    }

    private ListTree relatedImages() {
        var list = ListTree.builder();
        bundle.relatedImages().forEach(list::add);
        return list.add(
                        ObjectTree.builder()
                                .put("name", "")
                                .put("image", bundle.release().bundleImage())
                                .build())
                .build();
    }
}
