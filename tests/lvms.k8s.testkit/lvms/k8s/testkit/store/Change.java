package lvms.k8s.testkit.store;

import com.google.gson.JsonObject;

import java.util.Optional;

/**
 * One committed change of one object.
 *
 * @param revision its number
 * @param before the object before, empty if it was created
 * @param after the object after; if it was deleted, its last state with the revision of the
 *     deletion
 * @param deleted whether the object is gone
 */
public record Change(
        long revision, Key key, Optional<JsonObject> before, JsonObject after, boolean deleted) {}
