package dev.stowage.litert.engine;

import dev.stowage.litert.engine.EngineLine.Kind;
import dev.stowage.litert.engine.LiteRun.Mode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A process that runs a model in TensorFlow Lite: as a whole, in planned memory and with XNNPACK.
 *
 * <p>Arguments: the library, which is deleted, the model, the model in another order or an empty
 * text, the seed of the inputs, and the bytes of the arena. The standard input has a line for each
 * {@link PlacedTensor}, and then an empty line. The process ends with its standard input.
 */
public final class EngineMain {

  /*
   * The run in planned memory is repeated with another pattern, because an operator may ignore a wrong
   * number, for example the smaller one of two. 0xff is NaN in all floating-point formats and -1 in
   * signed integers. 0x7f is the largest integer of 8 bits, and a number of 3E38.
   */
  private static final byte[] PATTERNS = {(byte) 0xff, 0x7f};

  /** The exit code if the command ended first. */
  private static final int ORPHANED = 1;

  /** The limit of the size of core files, in Linux. */
  private static final int RLIMIT_CORE = 4;

  private final PrintStream out;
  private final Path model;
  private final Optional<Path> reordered;
  private final long seed;
  private final long arenaBytes;
  private final List<PlacedTensor> tensors;

  private EngineMain(PrintStream out, String[] args, List<PlacedTensor> tensors) {
    this.out = out;
    model = Path.of(args[1]);
    reordered = args[2].isEmpty() ? Optional.empty() : Optional.of(Path.of(args[2]));
    seed = Long.parseLong(args[3]);
    arenaBytes = Long.parseLong(args[4]);
    this.tensors = List.copyOf(tensors);
  }

  /**
   * Runs the model.
   *
   * @throws IOException if a file cannot be read
   */
  public static void main(String[] args) throws IOException {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    List<PlacedTensor> tensors = new ArrayList<>();
    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      tensors.add(PlacedTensor.parse(line));
    }
    haltAtEndOfInput(in);
    Path library = Path.of(args[0]);
    LiteApi api;
    try {
      api = LiteApi.load(library);
      preventCoreFile(api);
      Files.deleteIfExists(library); // its contents stay while it is mapped
    } catch (IllegalArgumentException | UnsatisfiedLinkError e) {
      EngineLine.encoded(Kind.NOT_LOADED, String.valueOf(e.getMessage())).printTo(out);
      return;
    }
    try {
      new EngineMain(out, args, tensors).run(api);
    } catch (EngineRefusedException | IllegalStateException e) {
      EngineLine.encoded(Kind.REFUSED, String.valueOf(e.getMessage())).printTo(out);
    } catch (OutOfMemoryError e) {
      EngineLine.encoded(Kind.OUT_OF_MEMORY, String.valueOf(e.getMessage())).printTo(out);
    }
  }

  /** Ends this process when the command ends, which closes the standard input. */
  private static void haltAtEndOfInput(BufferedReader in) {
    Thread.ofPlatform()
        .daemon()
        .name("stowage-command")
        .start(() -> {
          try {
            while (in.read() >= 0) {
              // The command writes nothing more.
            }
          } catch (IOException e) {
            // The command has ended.
          }
          Runtime.getRuntime().halt(ORPHANED);
        });
  }

  /** Prevents a core file, which each crash of a kernel would leave. */
  private static void preventCoreFile(LiteApi api) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment limits = arena.allocate(ValueLayout.JAVA_LONG, 2); // both limits are 0
      int _ = api.callInt("setrlimit", RLIMIT_CORE, limits);
    }
  }

  private void print(Kind kind, String value) {
    new EngineLine(kind, value).printTo(out);
  }

  private void run(LiteApi api) throws EngineRefusedException, IOException {
    try (Arena memory = Arena.ofConfined()) {
      print(Kind.PHASE, "own run");
      LiteRun whole = LiteRun.of(api, model, Mode.PLAIN, seed, memory);
      whole.arenaBytes().ifPresent(bytes -> print(Kind.ARENA, Long.toString(bytes)));
      List<LiteRun> others = new ArrayList<>();
      if (reordered.isPresent()) {
        print(Kind.PHASE, "own run in the new order");
        LiteRun inOrder = LiteRun.of(api, reordered.get(), Mode.PLAIN, seed, memory);
        inOrder.arenaBytes().ifPresent(bytes -> print(Kind.REORDERED_ARENA, Long.toString(bytes)));
        others.add(inOrder);
      }
      print(Kind.PHASE, "run in planned memory");
      List<PlacedTensor> placeable = placeable(whole);
      for (byte pattern : PATTERNS) {
        others.add(placed(api, placeable, pattern, memory));
      }
      others.getLast().unplaced().forEach(index -> print(Kind.UNPLACED, Integer.toString(index)));
      boolean isIdentical =
          others.stream().allMatch(other -> isIdentical(whole.outputs(), other.outputs()));
      if (!isIdentical) {
        print(Kind.PHASE, "second own run");
        checkSame(whole, LiteRun.of(api, model, Mode.PLAIN, seed, memory));
      }
      print(Kind.PHASE, "run with XNNPACK");
      LiteRun optimized = LiteRun.of(api, model, Mode.OPTIMIZED, seed, memory);
      printOutputs(whole, others, optimized);
      print(Kind.END, Integer.toString(whole.outputs().size()));
    }
  }

  /** {@return the tensors whose sizes in a run are at most the planned ones} */
  private List<PlacedTensor> placeable(LiteRun whole) {
    List<PlacedTensor> placeable = new ArrayList<>();
    for (PlacedTensor tensor : tensors) {
      long bytes = whole.tensorBytes().get(tensor.index());
      if (bytes <= tensor.bytes()) {
        placeable.add(tensor);
      } else {
        print(Kind.LARGER, tensor.index() + " " + bytes);
      }
    }
    return placeable;
  }

  private LiteRun placed(LiteApi api, List<PlacedTensor> placeable, byte pattern, Arena memory)
      throws EngineRefusedException, IOException {
    try (Arena arena = Arena.ofConfined()) {
      PoisonedTensors placed = new PoisonedTensors(placeable, arenaBytes, pattern, arena);
      OperatorEvents.Listener counted =
          new OperatorEvents.Listener() {
            @Override
            public void started(int operator) {
              placed.started(operator);
            }

            @Override
            public void ended(int operator) {
              placed.ended(operator);
              if (pattern == PATTERNS[0]) {
                print(Kind.OPERATORS, Integer.toString(operator + 1));
              }
            }
          };
      return LiteRun.placed(api, reordered.orElse(model), placed, counted, seed, memory);
    }
  }

  private static boolean isIdentical(List<LiteOutput> ones, List<LiteOutput> others) {
    boolean isIdentical = ones.size() == others.size();
    for (int i = 0; isIdentical && i < ones.size(); i++) {
      isIdentical = ones.get(i).isIdenticalTo(others.get(i));
    }
    return isIdentical;
  }

  /** Checks that two runs of the whole model have the same outputs. */
  private static void checkSame(LiteRun first, LiteRun second) throws EngineRefusedException {
    if (!isIdentical(first.outputs(), second.outputs())) {
      throw new EngineRefusedException(
          "its own outputs differ from run to run, expected a model without random operators");
    }
  }

  private void printOutputs(LiteRun whole, List<LiteRun> others, LiteRun optimized) {
    for (int i = 0; i < whole.outputs().size(); i++) {
      LiteOutput exact = whole.outputs().get(i);
      boolean isBitIdentical = true;
      double most = 0;
      for (LiteRun other : others) {
        isBitIdentical &= exact.isIdenticalTo(other.outputs().get(i));
        most = Math.max(most, exact.maxAbsDifference(other.outputs().get(i)));
      }
      LiteOutput placed = others.getLast().outputs().get(i);
      EngineOutput output =
          new EngineOutput(
              exact.name(),
              exact.typeName().toUpperCase(Locale.ROOT),
              placed.shape().stream().map(Integer::longValue).toList(),
              placed.elementCount(),
              isBitIdentical,
              most,
              placed.maxAbsDifference(optimized.outputs().get(i)));
      print(Kind.OUTPUT, output.toLine());
      if (exact.isConstant()) {
        EngineLine.encoded(Kind.CONSTANT, exact.name()).printTo(out);
      }
    }
  }
}
