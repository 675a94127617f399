package lvms.operator.backend;

import lvms.api.Driver;
import lvms.api.VolumeException;
import lvms.k8s.client.ApiException;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.operator.claim.Claim;
import lvms.operator.volume.Progress;
import lvms.operator.volume.VolumeRequest;

import java.util.List;
import java.util.Optional;

/**
 * Makes the volumes of one driver and takes them back. Each operation is one pass: it takes the
 * next step and returns at once, and a repetition with the same name means the same volume, also in
 * another process. Any thread may use it.
 */
public interface VolumeBackend {
    /** Returns the driver whose volumes these are. */
    Driver driver();

    /** Returns the objects that the nodes work on; a change of one is a reason for a pass. */
    Informer objects();

    /** Returns the volume of an object; empty if it has none. */
    Optional<BegunVolume> volume(KubeObject object);

    /** Returns what was begun under this name, which is that of its PersistentVolume. */
    Optional<BegunVolume> find(String name);

    /** Returns the volumes that are marked as being made for a claim of this name. */
    List<BegunVolume> ofClaim(ObjectKey claim);

    /** Returns why the driver can never serve such a claim; empty if it can. */
    Optional<String> objection(Claim claim);

    /** Returns how volumes are copied; empty if they are not. */
    Optional<Copying> copying();

    /**
     * One pass towards a volume.
     *
     * @throws VolumeException why it cannot be made; what was begun is undone
     */
    Progress<BegunVolume> create(VolumeRequest request)
            throws VolumeException, ApiException, InterruptedException;

    /** Takes the mark of the claim off, which has its PersistentVolume now. */
    void unmark(BegunVolume volume) throws ApiException, InterruptedException;

    /** One pass towards the end of a volume that nobody got. Returns whether it is gone. */
    Progress<Boolean> discard(BegunVolume volume)
            throws VolumeException, ApiException, InterruptedException;

    /**
     * One pass towards the end of the volume of a PersistentVolume. One that does not exist is
     * gone; the server is asked before that is believed, unless its object was seen to go.
     *
     * @param seen whether an earlier pass of this process saw its object, and was not at the end
     * @throws VolumeException why it cannot be deleted
     */
    Progress<Boolean> reclaim(KubeObject persistentVolume, boolean seen)
            throws VolumeException, ApiException, InterruptedException;

    /** Returns what the nodes have free. */
    NodeSpace space();
}
