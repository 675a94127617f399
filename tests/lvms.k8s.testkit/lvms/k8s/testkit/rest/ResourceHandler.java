package lvms.k8s.testkit.rest;

import com.google.gson.JsonObject;

import lvms.k8s.testkit.call.Call;
import lvms.k8s.testkit.call.Intake;
import lvms.k8s.testkit.call.Refusal;
import lvms.k8s.testkit.fault.WatchControl;
import lvms.k8s.testkit.json.Json;
import lvms.k8s.testkit.kinds.Cluster;
import lvms.k8s.testkit.read.Presentation;
import lvms.k8s.testkit.read.Reader;
import lvms.k8s.testkit.read.Watcher;
import lvms.k8s.testkit.rest.Router.Answer;
import lvms.k8s.testkit.store.Key;
import lvms.k8s.testkit.write.Bindings;
import lvms.k8s.testkit.write.Deleter;
import lvms.k8s.testkit.write.Patcher;
import lvms.k8s.testkit.write.Scales;
import lvms.k8s.testkit.write.Writer;

import java.io.IOException;
import java.util.LinkedHashSet;

/** Performs the verbs on resources. */
final class ResourceHandler {
    private final Cluster cluster;
    private final Reader reader;
    private final Writer writer;
    private final Patcher patcher;
    private final Deleter deleter;
    private final Reviews reviews;
    private final WatchControl watches;
    private final Bindings bindings;

    ResourceHandler(
            Cluster cluster,
            Writer writer,
            Deleter deleter,
            Reviews reviews,
            WatchControl watches) {
        this.cluster = cluster;
        this.writer = writer;
        this.deleter = deleter;
        this.reviews = reviews;
        this.watches = watches;
        reader = new Reader(cluster);
        bindings = new Bindings(cluster);
        patcher = new Patcher(cluster, writer);
    }

    /** A refusal tells what webhooks warned of, too. */
    void handle(Call call, Answer answer) throws IOException, InterruptedException {
        try {
            route(call, answer);
        } catch (Refusal e) {
            warn(call, answer);
            throw e;
        }
    }

    private void route(Call call, Answer answer) throws IOException, InterruptedException {
        if (!call.subresource().isEmpty()) {
            subresource(call, answer);
        } else if (call.name().isEmpty()) {
            collection(call, answer);
        } else {
            object(call, answer);
        }
    }

    private void collection(Call call, Answer answer) throws IOException, InterruptedException {
        requireNamespace(call);
        switch (call.http().method()) {
            case "GET" -> {
                requireVerb(call, "list");
                if (call.http().flag("watch")) {
                    Watcher.serve(cluster, watches, call, answer.exchange());
                } else {
                    var form = Presentation.of(call.http());
                    answer.json(200, form.many(call, reader.list(call)));
                }
            }
            case "POST" -> create(call, answer);
            case "DELETE" -> deleteAll(call, answer);
            default -> throw Refusal.methodNotAllowed();
        }
    }

    /** Each is deleted by itself; one that somebody else has deleted meanwhile is no failure. */
    private void deleteAll(Call call, Answer answer) throws IOException, InterruptedException {
        requireVerb(call, "deletecollection");
        var options = Deleter.Options.of(call);
        var chosen = reader.list(call);
        for (var object : chosen.items()) {
            try {
                deleter.delete(call.about(Key.of(object)), options);
            } catch (Refusal e) {
                if (e.code() != 404) {
                    throw e;
                }
            }
        }
        warn(call, answer);
        answer.json(200, Presentation.of(call.http()).many(call, chosen));
    }

    private void create(Call call, Answer answer) throws IOException {
        requireVerb(call, "create");
        if (cluster.registry().isRetired(call.resource())) {
            throw Refusal.methodNotAllowed(
                    "create not allowed while custom resource definition is terminating");
        }
        var body = Intake.read(call.http());
        if (call.resource().kind().equals("Binding")) {
            var binding = Intake.object(call, body);
            bindings.bind(
                    new Key(call.namespace(), Json.text(binding, "metadata", "name")), binding);
            answer.json(201, success());
            return;
        }
        if (!call.resource().verbs().contains("get")) {
            answer.json(201, reviews.answer(call, Intake.object(call, body)));
            return;
        }
        finish(call, answer, 201, writer.create(call, body));
    }

    private void object(Call call, Answer answer) throws IOException, InterruptedException {
        switch (call.http().method()) {
            case "GET" -> {
                requireVerb(call, "get");
                if (call.http().flag("watch")) {
                    Watcher.serve(cluster, watches, call, answer.exchange());
                } else {
                    answer.json(200, Router.present(call, reader.get(call)));
                }
            }
            case "PUT" -> {
                requireVerb(call, "update");
                var body = Intake.read(call.http());
                finish(call, answer, 200, writer.replace(call, body));
            }
            case "PATCH" -> patch(call, answer);
            case "DELETE" -> {
                requireVerb(call, "delete");
                var result = deleter.delete(call, Deleter.Options.of(call));
                finish(call, answer, 200, result);
            }
            default -> throw Refusal.methodNotAllowed();
        }
    }

    private void patch(Call call, Answer answer) throws IOException {
        requireVerb(call, "patch");
        var written = patcher.patch(call);
        finish(call, answer, written.created() ? 201 : 200, written.object());
    }

    private void subresource(Call call, Answer answer) throws IOException, InterruptedException {
        if (!call.resource().hasSubresource(call.subresource())) {
            throw Refusal.noSuchResource();
        }
        switch (call.subresource()) {
            case "status" -> status(call, answer);
            case "scale" -> scale(call, answer);
            default -> action(call, answer);
        }
    }

    private void status(Call call, Answer answer) throws IOException, InterruptedException {
        if (call.http().method().equals("DELETE")) {
            throw Refusal.methodNotAllowed();
        }
        object(call, answer);
    }

    private void scale(Call call, Answer answer) throws IOException {
        switch (call.http().method()) {
            case "GET" -> answer.json(200, Scales.of(call.resource(), reader.get(call)));
            case "PUT", "PATCH" -> {
                var body = Intake.read(call.http()).tree();
                var object =
                        writer.update(call, present -> Scales.changed(call, present, body), true);
                answer.json(200, Scales.of(call.resource(), object));
            }
            default -> throw Refusal.methodNotAllowed();
        }
    }

    /** The subresources that are actions: POST only. */
    private void action(Call call, Answer answer) throws IOException {
        if (!call.http().method().equals("POST")) {
            throw Refusal.methodNotAllowed();
        }
        var body = Intake.read(call.http()).tree().getAsJsonObject();
        switch (call.subresource()) {
            case "token" -> answer.json(201, reviews.request(call, body, reader.get(call)));
            case "binding" -> {
                bindings.bind(call.key(), body);
                answer.json(201, success());
            }
            default -> throw Refusal.noSuchResource();
        }
    }

    private static JsonObject success() {
        return Json.of(
                "kind", "Status",
                "apiVersion", "v1",
                "metadata", new JsonObject(),
                "status", "Success",
                "code", 201);
    }

    private static void finish(Call call, Answer answer, int code, JsonObject object)
            throws IOException {
        warn(call, answer);
        answer.json(code, Router.present(call, object));
    }

    private static void warn(Call call, Answer answer) {
        new LinkedHashSet<>(call.warnings()).forEach(answer::warn);
    }

    private static void requireVerb(Call call, String verb) {
        if (!call.resource().verbs().contains(verb)) {
            throw Refusal.methodNotAllowed();
        }
    }

    /** Namespaced objects are created and deleted in one namespace, not in all. */
    private static void requireNamespace(Call call) {
        boolean all = call.resource().namespaced() && call.namespace().isEmpty();
        if (all && !call.http().method().equals("GET")) {
            throw Refusal.methodNotAllowed();
        }
    }
}
