package dev.stowage.cli.rewrite;

import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.input.MicroProblemReader;
import dev.stowage.cli.input.OrderedMicro;
import dev.stowage.cli.input.OrderedModel;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.plan.OrderRunner;
import dev.stowage.cli.plan.PlanRunner;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.search.SearchResult;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.tflite.micro.MicroArena;
import dev.stowage.tflite.micro.MicroArenaReader;
import dev.stowage.tflite.micro.MicroTensor;
import dev.stowage.tflite.offline.OfflinePlan;
import dev.stowage.tflite.offline.OfflinePlanWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes the best offline plan into a copy of a TensorFlow Lite model. */
public final class TfliteRewrite {

  private final String input;
  private final Path model;
  private final RewriteOptions options;
  private final Interruption interruption;
  private final List<String> notes = new ArrayList<>();

  /** The memory of the model as it is. */
  private final MicroMemory memory;

  /** The arena to plan; without scratch buffers if the user does not state the kernels. */
  private final MicroArena before;

  private long lowerBoundBytes;

  private TfliteRewrite(
      String input,
      Path model,
      MicroMemory memory,
      RewriteOptions options,
      Interruption interruption) {
    this.input = input;
    this.model = model;
    this.memory = memory;
    before = memory.isScratchKnown() ? memory.arena() : memory.arena().withScratch(List.of());
    this.options = options;
    this.interruption = interruption;
  }

  /**
   * {@return the rewrite of a model, which is read once}
   *
   * @param interruption cancels the searches, which then return their best plans
   * @throws dev.stowage.plan.MalformedFileException if the model is damaged, or if the options
   *     contradict it
   */
  public static TfliteRewrite of(
      String input, Path model, RewriteOptions options, Interruption interruption)
      throws IOException {
    MicroArena arena = interruption.run(() -> read(model, options));
    MicroMemory memory = MicroProblemReader.memory(input, arena, options.micro());
    return new TfliteRewrite(input, model, memory, options, interruption);
  }

  private static MicroArena read(Path model, RewriteOptions options) throws IOException {
    MicroArena arena = MicroArenaReader.read(model);
    return options.isAliased() ? arena.withInPlace() : arena;
  }

  /**
   * Writes the copy.
   *
   * @param copy the new file, which does not exist
   * @throws InputRefusedException if the arena is too large for an offline plan
   * @throws IOException if a file cannot be read or written
   */
  public RewriteReport write(String output, Path copy) throws IOException, InputRefusedException {
    notes.addAll(before.notes());
    notes.addAll(
        MicroProblemReader.kernelNotes(
            memory,
            "the plan has no room for scratch buffers, but these operators usually need some: "));
    if (before.subgraphCount() > 1) {
      notes.add(
          "the model has "
              + Numbers.count(before.subgraphCount(), "subgraph")
              + "; versions of TensorFlow Lite Micro before 2024 read the offsets of each subgraph from the start of the plan");
    }
    Optional<String> overlap = memory.filePlanOverlap();
    if (overlap.isPresent() && !options.isPlanReplaced()) {
      notes.add(
          "the plan in the model is kept, because live tensors share memory in it on purpose or by mistake: "
              + overlap.get()
              + "; --replace-plan replaces it");
      lowerBoundBytes = search(before.problem()).lowerBoundBytes();
      return copied(output, copy);
    }
    SearchResult<OffsetsAssignment> found = search(before.problem());
    Candidate best = plan(before, List.of(), found);
    if (options.isReordered()) {
      best = reordered(found.assignment(), best);
    }
    if (interruption.isInterrupted()) {
      notes.add("interrupted: the plan is the best one that was found until then");
    }
    long fileBytes = before.headBytes(before.filePlan());
    boolean hasPlan = before.filePlan().isPresent();
    boolean isForced = options.isForced() || (hasPlan && options.isPlanReplaced());
    if (fileBytes < best.headBytes && !isForced) {
      notes.add(
          hasPlan
              ? "the plan in the model is kept, because it needs less; --replace-plan replaces it"
              : "no plan is written, because TensorFlow Lite Micro alone needs less; --force writes a plan in any case");
      return copied(output, copy);
    }
    if (overlap.isPresent()) {
      notes.add(
          "the plan in the model is replaced, although live tensors share memory in it: "
              + overlap.get()
              + "; an operator that relies on this fails");
    }
    OfflinePlanWriter.write(model, best.plan, best.operators, copy);
    check(best, copy);
    return report(output, copy, true, best);
  }

  /** A plan that can be written. */
  private record Candidate(
      MicroArena arena, List<Integer> operators, OfflinePlan plan, long headBytes) {}

  /**
   * {@return the best plan of an order of operators}
   *
   * @param withScratch the result of a search for a plan that also places scratch buffers
   */
  private Candidate plan(
      MicroArena arena, List<Integer> operators, SearchResult<OffsetsAssignment> withScratch)
      throws InputRefusedException {
    lowerBoundBytes = Math.max(unusedBytes(arena), withScratch.lowerBoundBytes());
    Candidate best = candidate(arena, operators, withScratch.assignment());
    PlanProblem tensors = arena.tensorsAlone(arena.problem());
    if (arena.problem().records().size() > tensors.records().size()) {
      // TensorFlow Lite Micro places scratch buffers itself, perhaps better around another plan.
      best = smaller(best, candidate(arena, operators, search(tensors).assignment()));
      for (MemoryStrategy strategy : MemoryStrategy.values()) {
        if (strategy != MemoryStrategy.OPTIMAL && strategy.comparesOffsets(arena.problem())) {
          OffsetsAssignment plan =
              interruption.run(() -> PlanRunner.offsets(strategy, arena.problem()));
          best = smaller(best, candidate(arena, operators, plan));
        }
      }
    }
    return best;
  }

  /** {@return the one with the smaller head, or the first of equal ones} */
  private static Candidate smaller(Candidate first, Candidate second) {
    return second.headBytes < first.headBytes ? second : first;
  }

  private static Candidate candidate(
      MicroArena arena, List<Integer> operators, OffsetsAssignment assignment)
      throws InputRefusedException {
    if (assignment.totalBytes() > Integer.MAX_VALUE) {
      throw new InputRefusedException(
          Text.of(
              "the tensors need an arena of %d bytes, expected at most %d, the largest one of TensorFlow Lite Micro",
              assignment.totalBytes(), Integer.MAX_VALUE));
    }
    OfflinePlan plan = arena.toOfflinePlan(assignment);
    return new Candidate(arena, operators, plan, arena.headBytes(Optional.of(plan)));
  }

  private SearchResult<OffsetsAssignment> search(PlanProblem problem) {
    OffsetsSearch search = OffsetsSearch.of(problem, searchOptions());
    return interruption.run(search::run, search::cancel);
  }

  private SearchOptions searchOptions() {
    return SearchOptions.defaults().withTimeLimit(options.timeLimit());
  }

  /**
   * {@return the best plan of another order, if its head is smaller than the head in the order of
   * the file}
   */
  private Candidate reordered(OffsetsAssignment found, Candidate unordered)
      throws IOException, InputRefusedException {
    Optional<OrderedMicro> ordered = OrderedMicro.of(model, before);
    if (ordered.isEmpty()) {
      notes.add(OrderedMicro.FIXED_ORDER);
      return unordered;
    }
    OrderComparison orders =
        new OrderRunner(MicroArena.ALIGNMENT_BYTES, searchOptions(), interruption)
            .run(OrderedModel.of(ordered.get()), before.problem(), found);
    Candidate best = unordered;
    List<Integer> order = orders.found().operators();
    if (!order.isEmpty()) {
      MicroArena arena = ordered.get().arenaInOrder(order);
      List<Integer> operators = ordered.get().inModel(order);
      best = smaller(best, plan(arena, operators, search(arena.problem())));
      best = smaller(best, candidate(arena, operators, orders.found().assignment()));
    }
    lowerBoundBytes = Math.max(unusedBytes(before), orders.lowerBoundBytes());
    return best;
  }

  /**
   * {@return the end of the largest unused tensor; an offline plan places all of them at offset 0}
   */
  private static long unusedBytes(MicroArena arena) {
    return arena.unusedTensors().stream().mapToLong(MicroTensor::bytes).max().orElse(0);
  }

  private RewriteReport copied(String output, Path copy) throws IOException {
    Files.copy(model, copy);
    Optional<OfflinePlan> plan = before.filePlan();
    Candidate kept =
        new Candidate(before, List.of(), plan.orElseGet(before::noOffsets), before.headBytes(plan));
    return report(output, copy, false, kept);
  }

  /** Reads a copy and checks that it has the plan and is otherwise as expected. */
  private void check(Candidate written, Path copy) throws IOException {
    MicroArena read = MicroArenaReader.read(copy);
    if (!read.filePlan().equals(Optional.of(written.plan))
        || !read.plannedTensors().equals(written.arena.plannedTensors())
        || read.placed(written.plan).violation().isPresent()) {
      throw new AssertionError("the copy does not have the plan that was written: " + copy);
    }
  }

  private RewriteReport report(String output, Path copy, boolean isPlanWritten, Candidate written)
      throws IOException {
    MicroArena arena = written.arena;
    MicroArena executed =
        memory.isScratchKnown() ? arena : arena.withScratch(arena.referenceScratch());
    return new RewriteReport(
        memory,
        new RewriteReport.Copy(
            input,
            memory.fileSize(),
            Files.size(model),
            before.headBytes(before.filePlan()),
            LowerBounds.of(before.problem()).offsetsBytes()),
        new RewriteReport.Copy(
            output,
            memory.size(executed, written.plan),
            Files.size(copy),
            written.headBytes,
            LowerBounds.of(arena.problem()).offsetsBytes()),
        isPlanWritten,
        !written.operators.isEmpty(),
        written.plan.hasOffsets() ? arena.placed(written.plan).endBytes() : written.headBytes,
        lowerBoundBytes,
        notes);
  }
}
