package lvms.release;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.ArrayList;
import java.util.List;

/**
 * Of what, and how, the images of a release were made: an in-toto statement with SLSA's provenance.
 * It has no times and no name of a run, so that whoever builds the tag again gets the same one.
 *
 * <p>Source: in-toto attestation framework, Statement v1; SLSA, Build Provenance v1.
 *
 * @param architectures of the images
 * @param aot whether the images have AOT caches, which no two builds make alike
 * @param pins what it was built from, beside the sources
 */
record Provenance(Release release, List<String> architectures, boolean aot, List<Pin> pins) {
    static final String STATEMENT = "https://in-toto.io/Statement/v1";
    static final String PREDICATE = "https://slsa.dev/provenance/v1";

    /** Names the parameters below; docs/release.md describes them. */
    static final String BUILD_TYPE = "urn:lvms:build.sh:release:v1";

    /**
     * Something that was made.
     *
     * @param name reference without tag
     */
    record Subject(String name, Descriptor image) {}

    ObjectTree statement(List<Subject> subjects) {
        var made = ListTree.builder();
        for (var subject : subjects) {
            made.add(
                    ObjectTree.builder()
                            .put("name", subject.name())
                            .put("digest", digest("sha256", subject.image().sha256()))
                            .build());
        }
        return ObjectTree.builder()
                .put("_type", STATEMENT)
                .put("subject", made.build())
                .put("predicateType", PREDICATE)
                .put("predicate", predicate())
                .build();
    }

    private ObjectTree predicate() {
        var builder = ObjectTree.builder().put("id", release.builder()).build();
        return ObjectTree.builder()
                .put(
                        "buildDefinition",
                        ObjectTree.builder()
                                .put("buildType", BUILD_TYPE)
                                .put("externalParameters", parameters())
                                .put(
                                        "internalParameters",
                                        ObjectTree.builder()
                                                .put("jdk", Runtime.version().toString())
                                                .build())
                                .put("resolvedDependencies", dependencies())
                                .build())
                .put("runDetails", ObjectTree.builder().put("builder", builder).build())
                .build();
    }

    private ObjectTree parameters() {
        return ObjectTree.builder()
                .put("tag", "v" + release.version())
                .put("registry", release.registry())
                .put("architectures", ListTree.ofTexts(architectures))
                .put("aot", aot)
                .build();
    }

    private ListTree dependencies() {
        var all = new ArrayList<ObjectTree>();
        all.add(
                ObjectTree.builder()
                        .put("name", "sources")
                        .put("digest", digest("gitCommit", release.commit()))
                        .build());
        for (var pin : pins) {
            all.add(
                    ObjectTree.builder()
                            .put("name", pin.file())
                            .put("uri", pin.purl())
                            .put("digest", digest("sha256", pin.sha256()))
                            .build());
        }
        return ListTree.of(all);
    }

    private static ObjectTree digest(String algorithm, String value) {
        return ObjectTree.builder().put(algorithm, value).build();
    }
}
