package dev.stowage.cli.option;

import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.console.ShortHelp;
import java.util.List;
import picocli.CommandLine.Option;

/** The option for the memory of an application into which constants are decompressed. */
public final class DecompressionOption {

  @Option(
      names = "--decompression-memory",
      order = ShortHelp.RARE,
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "The size of a memory region that the application gives to",
        "SetDecompressionMemory of TensorFlow Lite Micro; repeatable, in the",
        "order of the regions."
      })
  private List<Long> regionBytes = List.of();

  /** {@return true if the application has such memory} */
  public boolean isGiven() {
    return !regionBytes.isEmpty();
  }

  /** {@return the bytes of each region} */
  public List<Long> regionBytes() {
    return regionBytes;
  }

  /** Adds the sizes that are given. */
  void addTo(RecordedOptions recorded) {
    recorded.addAll("--decompression-memory", regionBytes);
  }
}
