package lvms.operator.claim;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.api.Driver;
import lvms.k8s.object.Json;
import lvms.k8s.object.KubeObject;

import java.util.Optional;
import java.util.stream.Stream;

/** The node that a PersistentVolume names as its place. */
public final class VolumeAffinity {
    private VolumeAffinity() {}

    /** Returns the node that the volume's affinity names. */
    public static Optional<String> node(KubeObject volume, Driver driver) {
        return volume.objects("spec", "nodeAffinity", "required", "nodeSelectorTerms").stream()
                .flatMap(term -> elements(term, "matchExpressions"))
                .filter(JsonElement::isJsonObject)
                .map(JsonElement::getAsJsonObject)
                .filter(requirement -> namesNode(requirement, driver))
                .flatMap(requirement -> elements(requirement, "values"))
                .flatMap(value -> Json.text(value).stream())
                .findFirst();
    }

    private static boolean namesNode(JsonObject requirement, Driver driver) {
        return Json.text(requirement.get("key")).filter(driver.topologyKey()::equals).isPresent()
                && Json.text(requirement.get("operator")).filter("In"::equals).isPresent();
    }

    private static Stream<JsonElement> elements(JsonObject tree, String name) {
        return tree.get(name) instanceof JsonArray array ? array.asList().stream() : Stream.empty();
    }
}
