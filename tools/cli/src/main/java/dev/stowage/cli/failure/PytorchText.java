package dev.stowage.cli.failure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The sentence of PyTorch's allocators since version 1.0.
 *
 * <p>After {@code CUDACachingAllocator.cpp}, {@code CUDAMallocAsyncAllocator.cpp}, {@code
 * XPUCachingAllocator.cpp} and {@code MPSAllocator.mm}.
 */
final class PytorchText implements FailureText {

  private static final int MAX_LINES = 24;

  private static final String MPS = "MPS backend out of memory";
  private static final String ASYNC = "would exceed allowed memory";

  /** The phrases of a number; the first one that is in the text has it. */
  private static final Map<FailurePart, List<Phrase>> PHRASES = new LinkedHashMap<>();

  static {
    put(FailurePart.REQUESTED, "Tried to allocate {}", "Requested : {}");
    put(FailurePart.CAPACITY, "capaci?ty of {}", "{} total capaci?ty", "Device limit : {}");
    put(
        FailurePart.DEVICE_FREE,
        "of which {} is free",
        "allocated; {} free",
        "Free \\(.{4,24}\\): {}");
    put(
        FailurePart.ALLOCATED,
        "memory {} is allocated by PyTorch",
        "{} already allocated",
        "MPS allocated: {}",
        "Currently allocated : {}");
    put(FailurePart.CACHED, "{} is reserved by PyTorch but unallocated", "free; {} cached");
    put(FailurePart.RESERVED, "{} reserved in total");
    put(FailurePart.PRIVATE_POOLS, "with {} allocated in private pools");
    put(FailurePart.PROCESS, "this process has {} memory in use");
    put(FailurePart.OTHERS, "other allocations: {}");
    put(FailurePart.LIMIT, "max allowed: {}", "{} allowed;", "memory fraction\\) : {}");
  }

  private static void put(FailurePart part, String... phrases) {
    PHRASES.put(part, List.of(phrases).stream().map(Phrase::of).toList());
  }

  @Override
  public List<String> marks() {
    return List.of(
        "CUDA out of memory",
        "HIP out of memory",
        "XPU out of memory",
        MPS,
        ASYNC,
        "CUDA error: out of memory",
        "HIP error: out of memory");
  }

  @Override
  public Optional<Failure> read(FailureLines lines, int start) {
    String text = sentence(lines.text(start, MAX_LINES));
    FailureProgram program =
        text.startsWith("HIP")
            ? FailureProgram.PYTORCH_HIP
            : text.startsWith("XPU")
                ? FailureProgram.PYTORCH_XPU
                : text.startsWith("MPS") ? FailureProgram.PYTORCH_MPS : FailureProgram.PYTORCH;
    FailureNumbers numbers = FailureNumbers.NONE;
    for (Map.Entry<FailurePart, List<Phrase>> phrases : PHRASES.entrySet()) {
      Optional<PrintedBytes> number =
          phrases.getValue().stream().flatMap(phrase -> phrase.find(text).stream()).findFirst();
      // Without a limit, or if the driver does not know a number, the text has 2^64 - 1.
      boolean isKnown =
          phrases.getKey() == FailurePart.REQUESTED
              || number.filter(PrintedBytes::isOverflow).isEmpty();
      numbers = isKnown ? numbers.with(phrases.getKey(), number) : numbers;
    }
    return Optional.of(
        new Failure(
            program,
            "message of PyTorch" + (program == FailureProgram.PYTORCH ? "" : ", " + backend(text)),
            text.startsWith("MPS") ? Failure.Cause.LIMIT : Failure.Cause.REQUEST,
            numbers,
            text.contains("sync") || text.startsWith(ASYNC) ? "cudaMallocAsync" : "",
            lines.number()));
  }

  private static String backend(String text) {
    return text.substring(0, 3);
  }

  /** {@return the text up to the next message} */
  private String sentence(String text) {
    int end = text.length();
    for (String mark : marks()) {
      int next = text.indexOf(mark, 1);
      end = next > 0 ? Math.min(end, next) : end;
    }
    return text.substring(0, end);
  }
}
