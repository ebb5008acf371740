package dev.stowage.cli.option;

import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.run.Usage;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option for the memory of a simulated device. */
public final class DeviceLimit {

  private static final long SMALLEST_BYTES = 256;

  @Option(
      names = {"--limit", "--capacity"},
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = "The memory of the device, such as 64MiB or 2GiB (default: no limit).")
  private Optional<Long> limit = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * {@return the bytes of the device; empty for any number}
   *
   * @throws ParameterException if the device is too small for a chunk
   */
  public OptionalLong bytes() {
    if (limit.isEmpty()) {
      return OptionalLong.empty();
    }
    if (limit.get() < SMALLEST_BYTES) {
      throw Usage.error(
          spec, "--limit is %d, expected %d or more bytes", limit.get(), SMALLEST_BYTES);
    }
    return OptionalLong.of(limit.get());
  }
}
