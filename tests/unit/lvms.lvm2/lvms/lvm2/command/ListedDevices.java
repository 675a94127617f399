package lvms.lvm2.command;

import lvms.lvm2.LvName;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.device.ThinPoolUsage;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A device-mapper with these devices, by name; one without devices gives no answer about a name.
 */
record ListedDevices(Map<String, State> states) implements DeviceMapper {
    @Override
    public boolean available() {
        return true;
    }

    @Override
    public List<Device> list() {
        return states.values().stream().map(s -> new Device(s.name(), s.number())).toList();
    }

    @Override
    public Optional<State> state(String name) throws IOException {
        if (states.isEmpty()) {
            throw new IOException("no answer");
        }
        return Optional.ofNullable(states.get(name));
    }

    @Override
    public Optional<ThinPoolUsage> thinPool(LvName pool) {
        return Optional.empty();
    }

    @Override
    public List<String> suspended() {
        return List.of();
    }
}
