package dev.stowage.cli.check;

import dev.stowage.cli.input.MicroMemory;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The arena of TensorFlow Lite Micro for a model with a plan.
 *
 * @param memory the memory of the model
 * @param capacityBytes the bytes that the arena must fit into, if they are limited
 * @param log the places on a device, if they are known
 */
public record ArenaCheck(MicroMemory memory, OptionalLong capacityBytes, Optional<DeviceLog> log) {

  /** {@return the reasons that the model is refused; empty if all is as it must be} */
  public List<String> failures() {
    List<String> failures = new ArrayList<>();
    MicroMemory.Size size = memory.fileSize();
    addShortage("the arena", size.arenaBytes(), capacityBytes.orElse(Long.MAX_VALUE), failures);
    addShortage(
        "the head",
        size.headBytes(),
        memory.options().headCapacity().orElse(Long.MAX_VALUE),
        failures);
    log.ifPresent(device -> {
      int count = device.differences(memory).size();
      if (!device.hasPlan()) {
        failures.add("the device does not use the plan: the interpreter read a model without it");
      } else if (count > 0) {
        failures.add(
            "the device differs from the plan in "
                + Numbers.count(count, "buffer")
                + " of "
                + memory.runTimeBuffers().size());
      }
    });
    return failures;
  }

  private static void addShortage(String what, long bytes, long capacity, List<String> failures) {
    if (bytes > capacity) {
      failures.add(
          Text.of(
              "%s needs %s, %s more than its capacity",
              what, ByteUnit.sentence(bytes), ByteUnit.human(bytes - capacity)));
    }
  }
}
