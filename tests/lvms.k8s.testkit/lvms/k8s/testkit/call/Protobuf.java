package lvms.k8s.testkit.call;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.json.Scalars;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/**
 * Decodes the protobuf bodies that kubectl sends for a few kinds; no option turns them off.
 *
 * <p>A row of the table is a message: its name, then {@code number:field:type}. Types are {@code s}
 * text, {@code b} bytes, {@code i} number, {@code t} boolean, {@code time}, {@code *type} for
 * lists, {@code map} and {@code bytesmap}, else the name of a message.
 */
final class Protobuf {
    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final String TABLE =
            """
            Meta 1:name:s 2:generateName:s 3:namespace:s 5:uid:s 6:resourceVersion:s \
            7:generation:i 8:creationTimestamp:time 11:labels:map 12:annotations:map \
            14:finalizers:*s
            Namespace 1:metadata:Meta 2:spec:NamespaceSpec
            NamespaceSpec 1:finalizers:*s
            ConfigMap 1:metadata:Meta 2:data:map 3:binaryData:bytesmap 4:immutable:t
            Secret 1:metadata:Meta 2:data:bytesmap 3:type:s 4:stringData:map 5:immutable:t
            ServiceAccount 1:metadata:Meta 2:secrets:*Reference 4:automountServiceAccountToken:t
            Reference 1:kind:s 2:namespace:s 3:name:s 4:uid:s
            TokenRequest 1:metadata:Meta 2:spec:TokenRequestSpec
            TokenRequestSpec 1:audiences:*s 3:boundObjectRef:BoundObject 4:expirationSeconds:i
            BoundObject 1:kind:s 2:apiVersion:s 3:name:s 4:uid:s
            Role 1:metadata:Meta 2:rules:*Rule
            ClusterRole 1:metadata:Meta 2:rules:*Rule
            Rule 1:verbs:*s 2:apiGroups:*s 3:resources:*s 4:resourceNames:*s 5:nonResourceURLs:*s
            RoleBinding 1:metadata:Meta 2:subjects:*Subject 3:roleRef:RoleRef
            ClusterRoleBinding 1:metadata:Meta 2:subjects:*Subject 3:roleRef:RoleRef
            Subject 1:kind:s 2:apiGroup:s 3:name:s 4:namespace:s
            RoleRef 1:apiGroup:s 2:kind:s 3:name:s
            SelfSubjectReview 1:metadata:Meta
            SelfSubjectAccessReview 1:metadata:Meta 2:spec:AccessSpec
            AccessSpec 1:resourceAttributes:Attributes 2:nonResourceAttributes:Path
            Attributes 1:namespace:s 2:verb:s 3:group:s 4:version:s 5:resource:s \
            6:subresource:s 7:name:s
            Path 1:path:s 2:verb:s
            SelfSubjectRulesReview 1:metadata:Meta 2:spec:RulesSpec
            RulesSpec 1:namespace:s
            Unknown 1:type:TypeMeta 2:raw:b
            TypeMeta 1:apiVersion:s 2:kind:s
            """;
    private static final Map<String, Map<Integer, String[]>> MESSAGES = messages();

    private Protobuf() {}

    private static Map<String, Map<Integer, String[]>> messages() {
        var result = new HashMap<String, Map<Integer, String[]>>();
        for (var row : TABLE.split("\n")) {
            var words = row.split(" ");
            var fields = new HashMap<Integer, String[]>();
            for (int i = 1; i < words.length; i++) {
                var parts = words[i].split(":");
                fields.put(Integer.valueOf(parts[0]), parts);
            }
            result.put(words[0], fields);
        }
        return result;
    }

    /** The object in an envelope; kinds that are not in the table are refused. */
    static JsonObject decode(byte[] body) {
        var buffer = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
        for (byte magic : MAGIC) {
            if (!buffer.hasRemaining() || buffer.get() != magic) {
                throw Refusal.badRequest("the body is not a protobuf object");
            }
        }
        var envelope = message("Unknown", buffer);
        var kind = Json.text(envelope, "type", "kind");
        if (!MESSAGES.containsKey(kind)) {
            throw Intake.unsupported("application/vnd.kubernetes.protobuf of " + kind);
        }
        var raw = Base64.getDecoder().decode(Json.text(envelope, "raw"));
        var object = message(kind, ByteBuffer.wrap(raw).order(ByteOrder.LITTLE_ENDIAN));
        object.addProperty("kind", kind);
        object.addProperty("apiVersion", Json.text(envelope, "type", "apiVersion"));
        Json.child(object, "metadata");
        return object;
    }

    private static JsonObject message(String name, ByteBuffer in) {
        var object = new JsonObject();
        while (in.hasRemaining()) {
            long tag = varint(in);
            var field = MESSAGES.get(name).get((int) (tag >>> 3));
            if ((tag & 7) == 0) {
                long value = varint(in);
                if (field != null) {
                    object.add(field[1], number(field[2], value));
                }
            } else if ((tag & 7) == 2) {
                var slice = slice(in);
                if (field != null) {
                    add(object, field, slice);
                }
            } else {
                throw Refusal.badRequest("proto: unsupported wire type in " + name);
            }
        }
        return object;
    }

    private static JsonPrimitive number(String type, long value) {
        return type.equals("t") ? new JsonPrimitive(value != 0) : new JsonPrimitive(value);
    }

    private static void add(JsonObject object, String[] field, ByteBuffer slice) {
        var name = field[1];
        var type = field[2];
        if (type.startsWith("*")) {
            if (!object.has(name)) {
                object.add(name, new JsonArray());
            }
            object.getAsJsonArray(name).add(value(type.substring(1), slice));
        } else if (type.endsWith("map")) {
            var entry = entry(slice, type.equals("bytesmap"));
            Json.child(object, name).add(entry.getKey(), entry.getValue());
        } else {
            var value = value(type, slice);
            boolean empty = Json.isString(value) && value.getAsString().isEmpty();
            if (!empty && !value.isJsonNull()) {
                object.add(name, value);
            }
        }
    }

    private static JsonElement value(String type, ByteBuffer slice) {
        return switch (type) {
            case "s" -> new JsonPrimitive(StandardCharsets.UTF_8.decode(slice).toString());
            case "b" -> new JsonPrimitive(base64(slice));
            case "time" -> time(slice);
            default -> message(type, slice);
        };
    }

    private static Map.Entry<String, JsonElement> entry(ByteBuffer slice, boolean bytes) {
        String key = "";
        JsonElement value = new JsonPrimitive("");
        while (slice.hasRemaining()) {
            long tag = varint(slice);
            var part = slice(slice);
            if (tag >>> 3 == 1) {
                key = StandardCharsets.UTF_8.decode(part).toString();
            } else {
                value = value(bytes ? "b" : "s", part);
            }
        }
        return Map.entry(key, value);
    }

    private static JsonElement time(ByteBuffer slice) {
        long seconds = 0;
        while (slice.hasRemaining()) {
            long tag = varint(slice);
            long value = varint(slice);
            seconds = tag >>> 3 == 1 ? value : seconds;
        }
        return seconds == 0
                ? JsonNull.INSTANCE
                : new JsonPrimitive(Scalars.time(Instant.ofEpochSecond(seconds)));
    }

    private static String base64(ByteBuffer slice) {
        var bytes = new byte[slice.remaining()];
        slice.get(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static ByteBuffer slice(ByteBuffer in) {
        int length = (int) varint(in);
        if (length < 0 || length > in.remaining()) {
            throw Refusal.badRequest("proto: unexpected end");
        }
        var slice = in.slice(in.position(), length).order(ByteOrder.LITTLE_ENDIAN);
        in.position(in.position() + length);
        return slice;
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < 64 && in.hasRemaining(); shift += 7) {
            byte b = in.get();
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw Refusal.badRequest("proto: malformed number");
    }
}
