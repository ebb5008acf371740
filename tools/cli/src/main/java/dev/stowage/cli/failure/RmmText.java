package dev.stowage.cli.failure;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The messages of RAPIDS Memory Manager, of its log, and of the RAPIDS plugin of Spark. */
final class RmmText implements FailureText {

  private static final int MAX_LINES = 3;

  private static final String POOL = "aximum pool size exceeded";
  private static final String STORE = "evice store exhausted";
  private static final String HANDLER = "evice allocation of";
  private static final String LIMITER = "Exceeded memory limit";

  private static final List<Phrase> REQUESTED =
      Stream.of(
              "\\[Upstream {}\\] ?\\[FAILURE",
              "failed to allocate # bytes",
              "failed to allocate {}",
              "unable to allocate # bytes",
              "allocation of # bytes failed")
          .map(Phrase::of)
          .toList();

  private static final Phrase ALLOCATED = Phrase.of("Total RMM allocated is # bytes");

  @Override
  public List<String> marks() {
    return List.of(
        POOL,
        "[FAILURE ",
        STORE,
        HANDLER,
        LIMITER,
        "cudaErrorMemoryAllocation out of memory",
        "std::bad_alloc: out_of_memory");
  }

  @Override
  public Optional<Failure> read(FailureLines lines, int start) {
    String text = lines.text(0, MAX_LINES);
    boolean isSpark = lines.indexOf(STORE) >= 0 || lines.indexOf(HANDLER) >= 0;
    if (isSpark && !text.contains("RMM") && !text.contains("evice store")) {
      return Optional.empty();
    }
    boolean isLimit = lines.indexOf(POOL) >= 0 || lines.indexOf(LIMITER) >= 0;
    return Optional.of(
        new Failure(
            isSpark ? FailureProgram.SPARK_RAPIDS : FailureProgram.RMM,
            isSpark ? "message of Spark RAPIDS" : "message of RAPIDS Memory Manager",
            isLimit ? Failure.Cause.LIMIT : Failure.Cause.REQUEST,
            FailureNumbers.NONE
                .with(
                    FailurePart.REQUESTED,
                    REQUESTED.stream().flatMap(phrase -> phrase.find(text).stream()).findFirst())
                .with(FailurePart.ALLOCATED, ALLOCATED.find(text)),
            "",
            lines.number()));
  }
}
