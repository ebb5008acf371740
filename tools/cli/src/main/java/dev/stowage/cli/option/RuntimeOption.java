package dev.stowage.cli.option;

import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.MicroOptions;
import dev.stowage.cli.run.Usage;
import dev.stowage.tflite.micro.EspNn;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the memory of a runtime: its kernels and their scratch buffers. */
public final class RuntimeOption {

  /**
   * The names of the options on scratch buffers, which change the size of the arena. They exclude
   * each other.
   */
  public static final List<String> OF_THE_ARENA = List.of("--kernels", "--scratch", "--no-scratch");

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
      names = "--kernels",
      paramLabel = "K",
      description = {
        "With --runtime: the kernels of the firmware, whose scratch buffers are",
        "in the arena: esp-nn-VERSION@TARGET, such as esp-nn-1.2.1@esp32s3, or",
        "any@TARGET for the known version with the largest arena. TARGET is",
        "esp32 (also for chips without kernels of their own), esp32s3, esp32p4",
        "or ansi."
      })
  private Optional<String> kernels = Optional.empty();

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
      names = "--head-capacity",
      order = ShortHelp.RARE,
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "With --runtime: exit with 4 if the head of the arena, the tensors and",
        "the scratch buffers, does not fit into BYTES."
      })
  private Optional<Long> headCapacity = Optional.empty();

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
          "--alignment is %d, expected a multiple of 16 with --runtime tflm, or no --alignment",
          bytes);
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
    if (isMicro()) {
      check(files);
      return reader.withMicro(toOptions());
    }
    List<String> given = given(Stream.concat(OF_THE_ARENA.stream(), Stream.of("--head-capacity")));
    if (!given.isEmpty()) {
      String option = given.getFirst();
      throw Usage.error(spec, "%s needs --runtime tflm; add it, or omit %s", option, option);
    }
    return reader;
  }

  private void check(List<String> files) {
    List<String> given = scratchOptions();
    if (given.size() > 1) {
      throw Usage.error(
          spec, "%s and %s contradict each other; omit one", given.getFirst(), given.get(1));
    }
    try {
      kernels.ifPresent(EspNn::named);
    } catch (IllegalArgumentException e) {
      throw Usage.error(spec, "--kernels: %s", String.valueOf(e.getMessage()));
    }
    if (files.size() > 1 && scratch.isPresent()) {
      throw Usage.error(
          spec, "--scratch has the buffers of one FILE, but there are %d", files.size());
    }
  }

  /** {@return the options on scratch buffers that are given} */
  public List<String> scratchOptions() {
    return given(OF_THE_ARENA.stream());
  }

  private List<String> given(Stream<String> names) {
    return names.filter(spec.commandLine().getParseResult()::hasMatchedOption).toList();
  }

  /** {@return the kernels and their memory, if the arena of TensorFlow Lite Micro is planned} */
  public Optional<MicroOptions> micro() {
    return runtime.map(_ -> toOptions());
  }

  /**
   * {@return the kernels and their memory for one model, with or without {@code --runtime}}
   *
   * @throws ParameterException if options contradict each other
   */
  public MicroOptions ofModel(String model) {
    check(List.of(model));
    return toOptions();
  }

  private MicroOptions toOptions() {
    return new MicroOptions(kernels, scratch, noScratch, headCapacity);
  }

  /**
   * {@return a reader that leaves out the scratch buffers of the user; empty if there are none}
   *
   * @param reader a reader of files
   */
  public Optional<InputReader> withoutScratch(InputReader reader) {
    return kernels.or(() -> scratch).map(_ -> reader.withMicro(MicroOptions.withoutScratch()));
  }
}
