package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The claims of failure messages, tried on copies of a naive model. */
class ShortageRandomTest {

  /** A number of bytes, exact below 1 KiB or in parentheses. */
  private static final String BYTES = "(?:[\\d.]+ .iB \\()?([\\d,]+) bytes?\\)?";

  static final Pattern HIGHER_LIMIT = Pattern.compile("a limit higher by " + BYTES);

  /** {@return the exact number of bytes in a message} */
  static long exactBytes(Matcher found) {
    return Long.parseLong(found.group(1).replace(",", ""));
  }

  static LongStream seeds() {
    return BfcAllocatorRandomTest.seeds(600);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyFailure_claimsOfTheMessage_hold(long seed) {
    Run run = new Run(seed);
    for (int i = 0; i < 80; i++) {
      run.step();
    }
  }

  /** A device that provides everything, or only memory that it got back. */
  private static final class Predictable implements SubAllocator {

    private final long granularityBytes;
    private final boolean canLengthen;
    private boolean gives;
    private long backBytes;
    private long nextAddress = (1L << 62) + 256;

    Predictable(long granularityBytes, boolean gives, boolean canLengthen) {
      this.granularityBytes = granularityBytes;
      this.gives = gives;
      this.canLengthen = canLengthen;
    }

    @Override
    public OptionalLong allocate(long bytes) {
      if (!gives && bytes > backBytes) {
        return OptionalLong.empty();
      }
      backBytes = Math.max(0, backBytes - bytes);
      nextAddress += bytes;
      return OptionalLong.of(nextAddress - bytes);
    }

    @Override
    public void free(long address, long bytes) {
      backBytes += bytes;
    }

    @Override
    public boolean resize(long address, long bytes, long newBytes) {
      boolean done = newBytes < bytes || canLengthen || newBytes - bytes <= backBytes;
      if (done) {
        backBytes = Math.max(0, backBytes + bytes - newBytes);
      }
      return done;
    }

    @Override
    public long granularityBytes() {
      return granularityBytes;
    }
  }

  private static final class Run {

    private static final Pattern RESIZE = Pattern.compile("(resize|keep) (\\d+) (\\d+)");

    private final Random random;
    private final long largest;
    private final int alignments;
    private final int frees;
    private final long granularity;
    private final ScriptedRegions device;
    private final ScriptedRegions modelDevice;
    private final BfcOptions options;
    private final BfcAllocator allocator;
    private final NaiveBfc model;
    private final List<Long> live = new ArrayList<>();
    private boolean canLengthen = true;

    Run(long seed) {
      random = new Random(seed);
      largest = 1L << (9 + random.nextInt(16));
      alignments = random.nextBoolean() ? 1 : 15;
      frees = 20 + random.nextInt(30);
      granularity = 256L << (random.nextBoolean() ? 0 : random.nextInt(14));
      ScriptedRegions.Order order = oneOf(List.of(ScriptedRegions.Order.values()));
      int refusals = new int[] {0, 0, 0, 20, 60}[random.nextInt(5)];
      boolean resizes = random.nextInt(4) > 0;
      device = device(order, seed, refusals, resizes);
      modelDevice = device(order, seed, refusals, resizes);
      options = options();
      allocator = new BfcAllocator("gpu", device, options);
      model = new NaiveBfc(modelDevice, options);
    }

    private <T> T oneOf(List<T> list) {
      return list.get(random.nextInt(list.size()));
    }

    private ScriptedRegions device(
        ScriptedRegions.Order order, long seed, int refusals, boolean resizes) {
      ScriptedRegions made =
          new ScriptedRegions(order, seed, refusals).withGranularity(granularity);
      boolean isTold = seed % 3 == 0;
      return resizes ? made.resizing() : isTold ? made.fixed() : made;
    }

    private BfcOptions options() {
      long limit = random.nextLong(1, 8) * Math.max(largest, granularity) + random.nextInt(5000);
      BfcOptions drawn =
          Presets.of(oneOf(List.of(RegionGrowth.values())), limit)
              .withFirstRegion(random.nextLong(1, largest))
              .withSplitThreshold(new long[] {1, 4096, 128 << 20}[random.nextInt(3)])
              .withTrimThreshold(
                  new long[] {1, 1 << 14, Long.MAX_VALUE, Long.MAX_VALUE}[random.nextInt(4)]);
      return random.nextInt(3) == 0 ? drawn.withGarbageCollection() : drawn;
    }

    void step() {
      if (random.nextInt(100) < frees && !live.isEmpty()) {
        long address = live.remove(random.nextInt(live.size()));
        allocator.free(address);
        model.free(address);
      } else if (live.size() < 25) {
        allocate();
      }
    }

    private void allocate() {
      long bytes = 1 + random.nextLong(random.nextInt(8) == 0 ? 8 * largest : largest);
      long alignment = 1L << random.nextInt(alignments);
      int before = device.calls().size();
      try {
        long address = allocator.allocate(bytes, alignment);
        assertThat(model.allocate(bytes, alignment)).hasValue(address);
        live.add(address);
        noteLengthening(before);
      } catch (BfcOutOfMemoryException e) {
        assertThat(model.allocate(bytes, alignment)).isEmpty();
        noteLengthening(before);
        List<String> calls = device.calls().subList(before, device.calls().size());
        int end = calls.size();
        while (end > 0 && !calls.get(end - 1).startsWith("free")) {
          end--;
        }
        new Failure(this, e, bytes, alignment, calls.subList(end, calls.size())).check();
      }
    }

    private void noteLengthening(int before) {
      for (String call : device.calls().subList(before, device.calls().size())) {
        Matcher resize = RESIZE.matcher(call);
        if (resize.matches() && Long.parseLong(resize.group(2)) < Long.parseLong(resize.group(3))) {
          canLengthen = resize.group(1).equals("resize");
        }
      }
    }
  }

  private record Failure(
      Run run,
      BfcOutOfMemoryException exception,
      long bytes,
      long alignment,
      List<String> lastCalls) {

    private static final Pattern ONE = Pattern.compile("without allocation (\\d+) of ");
    private static final Pattern SOME =
        Pattern.compile(
            "without " + BYTES + " in (\\d+) neighbouring allocations from 0x(\\w+) on");

    private static final Pattern CERTAIN =
        Pattern.compile("would have passed (([^.]|\\.\\d)*, or )?without ");

    private static boolean isResizeRefused(String call) {
      Matcher resize = Run.RESIZE.matcher(call);
      return resize.matches()
          && resize.group(1).equals("keep")
          && Long.parseLong(resize.group(2)) < Long.parseLong(resize.group(3));
    }

    void check() {
      assertThat(exception.verdict()).isEqualTo(verdict());
      assertThat(passes(run.options, 0, !regionRefused(), List.of())).isFalse();
      if (anyRefused()) {
        Predictable gives = new Predictable(run.granularity, true, true);
        assertThat(run.model.copy(gives, run.options).allocate(bytes, alignment)).isPresent();
      }
      checkHigherLimit();
      checkGarbageCollection();
      checkObstacle();
    }

    private boolean anyRefused() {
      return regionRefused() || lastCalls.stream().anyMatch(call -> call.startsWith("keep"));
    }

    private boolean regionRefused() {
      return lastCalls.stream().anyMatch(call -> call.startsWith("refuse"));
    }

    private OutOfMemoryVerdict verdict() {
      AllocatorStatistics statistics = run.model.statistics();
      long usable = run.options.limitBytes() / run.granularity * run.granularity;
      long rounded = (bytes + 255) / 256 * 256;
      if (anyRefused()) {
        return OutOfMemoryVerdict.REFUSED;
      }
      long missing = statistics.bytesInUse() + rounded - usable;
      long waste = statistics.bytesInUse() - statistics.requestedBytesInUse() + rounded - bytes;
      return missing <= 0 || (waste >= missing && 100 * (waste + 1) > statistics.bytesInUse())
          ? OutOfMemoryVerdict.FRAGMENTED
          : OutOfMemoryVerdict.DOES_NOT_FIT;
    }

    /** {@return true if the request passes with more bytes and fewer allocations} */
    private boolean passes(BfcOptions options, long moreBytes, boolean gives, List<Long> without) {
      BfcOptions changed = options.withLimit(options.limitBytes() + moreBytes);
      Predictable device = new Predictable(run.granularity, gives, run.canLengthen);
      NaiveBfc copy = run.model.copy(device, changed);
      without.forEach(copy::free);
      return copy.allocate(bytes, alignment).isPresent();
    }

    private void checkHigherLimit() {
      Matcher limit = HIGHER_LIMIT.matcher(exception.toString());
      boolean isTold = limit.find();
      assertThat(isTold).as(exception.getMessage()).isEqualTo(!regionRefused());
      if (isTold) {
        long more = exactBytes(limit);
        assertThat(more).isPositive();
        assertThat(passes(run.options, more, true, List.of())).as(exception.getMessage()).isTrue();
        assertThat(passes(run.options, more - 1, true, List.of()))
            .as(exception.getMessage())
            .isFalse();
      }
    }

    private boolean helpedByGarbageCollection() {
      return exception.toString().contains("with garbage collection of free regions");
    }

    private void checkGarbageCollection() {
      if (!run.options.hasGarbageCollection() && !regionRefused()) {
        assertThat(passes(run.options.withGarbageCollection(), 0, true, List.of()))
            .as(exception.getMessage())
            .isEqualTo(helpedByGarbageCollection());
      }
    }

    private void checkObstacle() {
      List<Long> obstacle = obstacle();
      if (!obstacle.isEmpty()) {
        assertThat(passes(run.options, 0, !regionRefused(), obstacle))
            .as(exception.getMessage())
            .isTrue();
        checkCertainty(obstacle);
      }
      long fewest = obstacle.isEmpty() ? Long.MAX_VALUE : chunkBytes(obstacle);
      BfcOptions inItsPlace = inItsPlace();
      for (List<Long> region : run.model.addressesInUse()) {
        for (int first = 0; first < region.size(); first++) {
          for (int end = first + 1; end <= region.size(); end++) {
            List<Long> window = region.subList(first, end);
            boolean mayGo =
                run.options.trimThresholdBytes() < Long.MAX_VALUE && window.equals(region);
            // If regions are returned at once, the result depends on the order of the frees.
            if (!mayGo && chunkBytes(window) < fewest) {
              assertThat(
                      passes(inItsPlace, 0, !regionRefused(), window)
                          && passes(run.options, 0, !regionRefused(), window))
                  .as("without %s: %s", window, exception.getMessage())
                  .isFalse();
            }
          }
        }
      }
    }

    /** Claims without "might" hold for any answers of a device that has refused before. */
    private void checkCertainty(List<Long> obstacle) {
      boolean isCertain = CERTAIN.matcher(exception.toString()).find();
      boolean refusedBefore =
          run.device.calls().stream()
              .anyMatch(call -> call.startsWith("refuse") || isResizeRefused(call));
      if (isCertain && refusedBefore) {
        SubAllocator givesNothing = new Predictable(run.granularity, false, false);
        NaiveBfc copy = run.model.copy(givesNothing, run.options);
        obstacle.forEach(copy::free);
        assertThat(copy.allocate(bytes, alignment)).as(exception.getMessage()).isPresent();
      }
      assertThat(refusedBefore && exception.toString().contains("would have passed with a limit"))
          .as(exception.getMessage())
          .isFalse();
    }

    /**
     * {@return options with which the allocator does not return memory and get it again elsewhere}
     *
     * <p>If free ends are returned at once, a free in one region can make room in another one. The
     * messages do not describe how a device that refused memory answers after it gets some back.
     */
    private BfcOptions inItsPlace() {
      BfcOptions told = run.options;
      BfcOptions untrimmed =
          Presets.of(told.growth(), told.limitBytes())
              .withFirstRegion(told.firstRegionBytes())
              .withSplitThreshold(told.splitThresholdBytes());
      return told.hasGarbageCollection() && !regionRefused()
          ? untrimmed.withGarbageCollection()
          : untrimmed;
    }

    private long chunkBytes(List<Long> addresses) {
      return addresses.stream().mapToLong(run.model::chunkBytes).sum();
    }

    private List<Long> obstacle() {
      Matcher one = ONE.matcher(exception.toString());
      if (one.find()) {
        long id = Long.parseLong(one.group(1));
        return run.allocator.allocations().stream()
            .filter(allocation -> allocation.id() == id)
            .map(Allocation::address)
            .toList();
      }
      Matcher some = SOME.matcher(exception.toString());
      if (!some.find()) {
        return List.of();
      }
      long from = Long.parseLong(some.group(3), 16);
      List<Long> found =
          run.allocator.allocations().stream()
              .map(Allocation::address)
              .filter(address -> address >= from)
              .limit(Long.parseLong(some.group(2)))
              .toList();
      assertThat(chunkBytes(found)).isEqualTo(exactBytes(some));
      return found;
    }
  }
}
