package dev.stowage.cli.option;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.DeviceCapacity;
import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.run.Usage;
import dev.stowage.pages.text.ByteUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the part of a device's memory that an allocator may hold, as in TensorFlow. */
final class DeviceShare {

  private static final long SMALLEST_BYTES = 256;

  /** The first compute capability with unified memory. */
  private static final int UNIFIED_MEMORY = 6;

  @Option(
      names = "--device-bytes",
      order = ShortHelp.RARE,
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "bfc: the memory of the device, instead of --limit. The allocator may",
        "hold the part of it that --fraction names."
      })
  private Optional<Long> deviceBytes = Optional.empty();

  @Option(
      names = "--fraction",
      order = ShortHelp.RARE,
      paramLabel = "F",
      converter = FractionConverter.class,
      description = {
        "bfc: the part of --device-bytes that the allocator may hold, such as",
        "0.75. 0 (the default) is all but the reserve that TensorFlow leaves to",
        "the system. A fraction above 1 needs a GPU with unified memory."
      })
  private Optional<Double> fraction = Optional.empty();

  @Option(
      names = "--compute-capability",
      order = ShortHelp.RARE,
      paramLabel = "N",
      description = {
        "bfc: the device is a GPU of NVIDIA of this compute capability, such as",
        "9 for 9.0. TensorFlow leaves less of it to the system than of other",
        "devices."
      })
  private Optional<Integer> computeCapability = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * {@return the bytes that the allocator may hold; empty if the options do not limit it}
   *
   * @throws ParameterException if an option is wrong
   */
  OptionalLong limitBytes() {
    if (deviceBytes.isEmpty()) {
      fraction.ifPresent(_ -> rejectWithoutDevice("--fraction"));
      computeCapability.ifPresent(_ -> rejectWithoutDevice("--compute-capability"));
      return OptionalLong.empty();
    }
    check();
    long bytes = deviceBytes.get();
    double part = fraction.orElse(0.0);
    DeviceCapacity device =
        computeCapability
            .map(capability -> DeviceCapacity.ofGpu(bytes, bytes, capability))
            .orElseGet(() -> DeviceCapacity.of(bytes, bytes));
    if ((part == 0 ? bytes : bytes * part) < SMALLEST_BYTES) {
      throw Usage.error(
          spec,
          "the allocator may hold less than %d bytes: --device-bytes is %d and --fraction %s",
          SMALLEST_BYTES,
          bytes,
          part);
    }
    return OptionalLong.of(BfcOptions.forDevice(device, part, true).limitBytes());
  }

  private void check() {
    double part = fraction.orElse(0.0);
    int capability = computeCapability.orElse(1);
    if (!(part >= 0 && part < Double.POSITIVE_INFINITY)) {
      throw Usage.error(spec, "--fraction is " + part + ", expected 0 or more");
    }
    if (capability < 1) {
      throw Usage.error(spec, "--compute-capability is %d, expected 1 or more", capability);
    }
    if (part > 1 && capability < UNIFIED_MEMORY) {
      throw Usage.error(
          spec,
          "--fraction is %s, expected at most 1, or more for a GPU with unified memory (--compute-capability %d or higher)",
          part,
          UNIFIED_MEMORY);
    }
  }

  /** {@return the note on the share; empty if the options do not limit it} */
  Optional<String> note() {
    return deviceBytes.map(bytes -> note(limitBytes().orElseThrow(), bytes));
  }

  /** {@return a note on a limit that follows from the memory of the device} */
  static String note(long limitBytes, long deviceBytes) {
    return String.format(
        Locale.ROOT,
        "the allocator may hold %s of the device's %s",
        ByteUnit.exact(limitBytes),
        ByteUnit.human(deviceBytes));
  }

  private void rejectWithoutDevice(String option) {
    throw Usage.error(
        spec, option + " needs the memory of the device, expected --device-bytes BYTES");
  }
}
