package dev.stowage.cli.option;

import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.MicroOptions;
import dev.stowage.cli.run.Usage;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code stowage plan} for the memory of a runtime. */
public final class RuntimeOption {

  /** The alignment of sizes and offsets in TensorFlow Lite Micro. */
  private static final long MICRO_ALIGNMENT_BYTES = 16;

  @Option(
      names = "--runtime",
      paramLabel = "R",
      description = {
        "tflm: plan the complete tensor arena of TensorFlow Lite Micro for",
        ".tflite models, with inputs and outputs, sizes rounded up to 16, and",
        "all subgraphs that are executed."
      })
  private Optional<PlannedRuntime> runtime = Optional.empty();

  @Option(
      names = "--scratch",
      order = ShortHelp.RARE,
      paramLabel = "FILE",
      description = {
        "With --runtime: a .csv file with the columns subgraph, operator and",
        "bytes, of the buffers that operators need while they run."
      })
  private Optional<String> scratch = Optional.empty();

  @Option(
      names = "--no-scratch",
      order = ShortHelp.RARE,
      description = "With --runtime: state that no operator needs scratch buffers.")
  private boolean noScratch;

  @Option(
      names = "--arena-used",
      order = ShortHelp.RARE,
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "With --runtime: the result of interpreter.arena_used_bytes() for the",
        "FILE on the device. The tail is then exact, and not an estimate."
      })
  private Optional<Long> arenaUsed = Optional.empty();

  @Mixin private DecompressionOption decompression = new DecompressionOption();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  private enum PlannedRuntime {
    tflm
  }

  /** {@return true if the arena of TensorFlow Lite Micro is planned} */
  public boolean isMicro() {
    return runtime.isPresent();
  }

  /**
   * {@return the alignment of every offset}
   *
   * @param alignment the option; empty if it is not given
   * @throws ParameterException if it is not positive, or if the runtime needs another one
   */
  public long alignment(Optional<Long> alignment) {
    long bytes = alignment.orElse(isMicro() ? MICRO_ALIGNMENT_BYTES : 1L);
    if (bytes < 1) {
      throw Usage.error(spec, "--alignment is %d, expected 1 or more bytes", bytes);
    }
    if (isMicro() && bytes % MICRO_ALIGNMENT_BYTES != 0) {
      throw Usage.error(
          spec,
          "--alignment is "
              + bytes
              + ", expected a multiple of 16 with --runtime tflm, or no --alignment");
    }
    return bytes;
  }

  /**
   * {@return a reader of files for the runtime}
   *
   * @param reader a reader of files
   * @param files the files
   * @throws ParameterException if the options contradict each other
   */
  public InputReader reader(InputReader reader, List<String> files) {
    String option = scratch.isPresent() ? "--scratch" : noScratch ? "--no-scratch" : "--arena-used";
    if (!isMicro() && (scratch.isPresent() || noScratch || arenaUsed.isPresent())) {
      throw Usage.error(spec, option + " needs --runtime tflm; add it, or omit " + option);
    }
    if (!isMicro() && decompression.isGiven()) {
      throw Usage.error(
          spec,
          "--decompression-memory needs --runtime tflm; add it, or omit --decompression-memory");
    }
    if (noScratch && scratch.isPresent()) {
      throw Usage.error(spec, "--scratch and --no-scratch contradict each other; omit one");
    }
    if (scratch.isPresent() && files.size() > 1) {
      throw Usage.error(
          spec, "--scratch has the buffers of one FILE, but there are " + files.size());
    }
    if (arenaUsed.isPresent() && files.size() > 1) {
      throw Usage.error(
          spec, "--arena-used is measured for one FILE, but there are " + files.size());
    }
    if (arenaUsed.isPresent() && arenaUsed.get() > Integer.MAX_VALUE) {
      throw Usage.error(
          spec,
          "--arena-used is %d, expected at most %d bytes, the largest arena of TensorFlow Lite Micro",
          arenaUsed.get(),
          Integer.MAX_VALUE);
    }
    return micro().map(reader::withMicro).orElse(reader);
  }

  /** Adds the options that are given. */
  public void addTo(RecordedOptions recorded) {
    recorded.add("--runtime", runtime.map(PlannedRuntime::name).orElse(""));
    recorded.add("--no-scratch", noScratch);
    scratch.ifPresent(path -> recorded.addPath("--scratch", path));
    arenaUsed.ifPresent(bytes -> recorded.add("--arena-used", bytes));
    decompression.addTo(recorded);
  }

  /** {@return the scratch buffers, if the arena of TensorFlow Lite Micro is planned} */
  public Optional<MicroOptions> micro() {
    return runtime.map(
        _ -> new MicroOptions(scratch, noScratch, arenaUsed, decompression.regionBytes()));
  }

  /**
   * {@return a reader that leaves out the scratch buffers of the user; empty if there are none}
   *
   * @param reader a reader of files
   */
  public Optional<InputReader> withoutScratch(InputReader reader) {
    return scratch.map(_ ->
        reader.withMicro(
            new MicroOptions(
                Optional.empty(), true, Optional.empty(), decompression.regionBytes())));
  }
}
