package lvms.k8s.informer;

import static java.lang.System.Logger.Level.ERROR;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/**
 * Trims objects by a program's function, after what is always dropped. What that function makes
 * unusable is kept without its help, so that no change is lost: if it throws, or takes what the
 * store tells objects and their states apart by.
 */
final class SafeTrim implements UnaryOperator<KubeObject> {
    private static final System.Logger LOG = System.getLogger(SafeTrim.class.getName());

    private final ResourceType type;
    private final UnaryOperator<KubeObject> always;
    private final UnaryOperator<KubeObject> transform;
    private final AtomicBoolean told = new AtomicBoolean();

    SafeTrim(
            ResourceType type,
            UnaryOperator<KubeObject> always,
            UnaryOperator<KubeObject> transform) {
        this.type = type;
        this.always = always;
        this.transform = transform;
    }

    @Override
    public KubeObject apply(KubeObject object) {
        var whole = always.apply(object);
        try {
            var trimmed = transform.apply(whole);
            if (trimmed == whole || trimmed != null && isSame(trimmed, whole)) {
                return trimmed;
            }
        } catch (RuntimeException | Error failure) {
            LOG.log(
                    ERROR,
                    () -> "object not trimmed type=" + type + " object=" + object.key(),
                    failure);
            return whole;
        }
        tellOnce();
        return whole;
    }

    private static boolean isSame(KubeObject trimmed, KubeObject whole) {
        return trimmed.key().equals(whole.key())
                && trimmed.uid().equals(whole.uid())
                && trimmed.resourceVersion().equals(whole.resourceVersion());
    }

    /** It does so with each object, or nearly. */
    private void tellOnce() {
        if (told.compareAndSet(false, true)) {
            LOG.log(
                    ERROR,
                    () ->
                            "objects not trimmed, the transform takes their name, namespace, UID or"
                                    + " resource version, or returns null type="
                                    + type);
        }
    }
}
