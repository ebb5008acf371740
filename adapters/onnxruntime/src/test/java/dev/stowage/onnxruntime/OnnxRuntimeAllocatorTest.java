package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.MonitoredAllocator;
import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.allocator.internal.ByteCount;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.onnxruntime.capi.OnnxRuntimeApi;
import dev.stowage.trace.TraceRecorder;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.replay.Placement;
import dev.stowage.trace.replay.TraceReplay;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OnnxRuntimeAllocatorTest {

  private static final int LAYERS = 6;
  private static final int ROWS = 100;
  private static final int THREADS = 8;
  private static final long LAYER_BYTES = 4L * TinyModel.COLUMNS * TinyModel.COLUMNS;
  private static final long OUTPUT_BYTES = 4L * ROWS * TinyModel.COLUMNS;

  /** Options without rounding to larger chunks. */
  private static final BfcOptions EXACT = BfcOptions.expandable().withSplitThreshold(256);

  private static final byte[] MODEL = TinyModel.withLayers(LAYERS);

  @TempDir private Path folder;

  @Test
  void run_ownArenaOrOurAllocator_outputsAreTheSame() throws OrtException {
    try (HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator allocator = OnnxRuntimeAllocator.register("engine", host, EXACT);
        OrtSession own = Engine.session(MODEL);
        OrtSession ours = Engine.session(MODEL, allocator);
        OnnxTensor x = Engine.rows(ROWS)) {
      for (int run = 0; run < 3; run++) {
        List<float[]> expected = Engine.run(own, Map.of("x", x));
        assertThat(Engine.run(ours, Map.of("x", x))).usingRecursiveComparison().isEqualTo(expected);
      }
      allocator.check();
    }
  }

  @Test
  void register_whileFlightRecorderRecords_leavesNoEventsOfTheWarmUp() throws Exception {
    Path file = folder.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("dev.stowage.Allocate");
      recording.start();
      try (HostMemory host = HostMemory.open();
          OnnxRuntimeAllocator allocator = OnnxRuntimeAllocator.register("engine", host, EXACT);
          OrtSession session = Engine.session(MODEL, allocator)) {
        assertThat(session.getNumInputs()).isPositive();
      }
      recording.stop();
      recording.dump(file);
    }
    assertThat(
            RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("dev.stowage."))
                .map(event -> event.getString("allocator"))
                .distinct())
        .containsExactly("engine");
  }

  @Test
  void statistics_sessionsAndResultsOpenAndClosed_nothingIsLiveAtTheEnd() throws OrtException {
    try (HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator allocator = OnnxRuntimeAllocator.register("engine", host, EXACT)) {
      try (OrtSession session = Engine.session(MODEL, allocator);
          OnnxTensor x = Engine.rows(ROWS)) {
        long weightBytes = allocator.statistics().requestedBytesInUse();
        assertThat(weightBytes).isGreaterThanOrEqualTo(LAYERS * LAYER_BYTES);
        try (OrtSession.Result _ = session.run(Map.of("x", x))) {
          assertThat(allocator.statistics().requestedBytesInUse())
              .isEqualTo(weightBytes + OUTPUT_BYTES);
        }
        assertThat(allocator.statistics().requestedBytesInUse()).isEqualTo(weightBytes);
      }
      assertThat(allocator.statistics().bytesInUse()).isZero();
      assertThat(allocator.statistics().chunksInUse()).isZero();
      assertThat(allocator.trim().pinned()).isEmpty();
      assertThat(host.heldBytes()).isZero();
    }
  }

  @Test
  void monitored_whileASessionIsOpen_readsItsMemory() throws OrtException {
    try (HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator allocator = OnnxRuntimeAllocator.register("engine", host, EXACT)) {
      MonitoredAllocator monitored = allocator.monitored();
      try (OrtSession session = Engine.session(MODEL, allocator)) {
        assertThat(session.getNumInputs()).isPositive();
        assertThat(monitored.name()).isEqualTo("engine");
        assertThat(monitored.statistics()).isEqualTo(allocator.statistics());
        assertThat(monitored.report().holders().getFirst().tag()).isEqualTo("weights");
        assertThat(monitored.chunks().getFirst().chunks()).isNotEmpty();
        assertThat(monitored.failedRequests()).isZero();
      }
      assertThat(monitored.trim().pinned()).isEmpty();
    }
  }

  @Test
  void close_sessionOrResultOpen_isRefusedAndChangesNothing() throws OrtException {
    try (HostMemory host = HostMemory.open();
        OnnxTensor x = Engine.rows(ROWS)) {
      OnnxRuntimeAllocator allocator = OnnxRuntimeAllocator.register("engine", host, EXACT);
      OrtSession session = Engine.session(MODEL, allocator);
      OrtSession.Result result = session.run(Map.of("x", x));
      session.close();
      assertThatThrownBy(allocator::close)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "allocator 'engine' cannot be closed: sessions or results hold 25 KiB (25,600 bytes) in 1 "
                  + "allocations (tensors 25 KiB); close them first");
      assertThat(Engine.values(result)).hasSize(1);
      result.close();
      allocator.close();
      assertThatCode(allocator::close).doesNotThrowAnyException();
      assertThat(host.regionCount()).isZero();
    }
  }

  @Test
  void run_sessionLeftOpenAfterClose_isAnsweredFromTheCLibrary() throws OrtException {
    byte[] model = TinyModel.withoutWeights();
    try (HostMemory host = HostMemory.open();
        OnnxTensor x = Engine.rows(ROWS)) {
      OnnxRuntimeAllocator allocator = OnnxRuntimeAllocator.register("engine", host, EXACT);
      try (OrtSession session = Engine.session(model, allocator)) {
        List<float[]> before = Engine.run(session, Map.of("x", x));
        allocator.close();
        assertThat(host.regionCount()).isZero();
        assertThat(Engine.run(session, Map.of("x", x)))
            .usingRecursiveComparison()
            .isEqualTo(before);
      }
    }
  }

  @Test
  void register_anotherIsRegistered_isRefused() throws OrtException {
    try (HostMemory host = HostMemory.open()) {
      try (OnnxRuntimeAllocator _ = OnnxRuntimeAllocator.register("first", host, EXACT)) {
        assertThatThrownBy(() -> OnnxRuntimeAllocator.register("second", host, EXACT))
            .isInstanceOf(IllegalStateException.class)
            .hasMessage(
                "allocator 'second' cannot be registered with ONNX Runtime: %s is registered; close"
                    + " that one first",
                OnnxRuntimeApi.ofLoadedLibrary().hasStatistics()
                    ? "allocator 'first'"
                    : "another allocator");
      }
      try (OnnxRuntimeAllocator second = OnnxRuntimeAllocator.register("second", host, EXACT);
          OrtSession _ = Engine.session(MODEL, second)) {
        assertThat(second.statistics().bytesInUse()).isPositive();
      }
    }
  }

  @Test
  void check_limitTooSmall_outputsAreRightAndTheFirstRefusalIsThrown() throws OrtException {
    Engine.require123(); // before, weights that are packed are also requested as they are
    long limitBytes = LAYERS * LAYER_BYTES + 4096;
    try (HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator allocator =
            OnnxRuntimeAllocator.register("engine", host, EXACT.withLimit(limitBytes));
        OrtSession own = Engine.session(MODEL);
        OrtSession ours = Engine.session(MODEL, allocator);
        OnnxTensor x = Engine.rows(ROWS)) {
      allocator.check();
      List<float[]> expected = Engine.run(own, Map.of("x", x));
      assertThat(Engine.run(ours, Map.of("x", x))).usingRecursiveComparison().isEqualTo(expected);

      BfcOutOfMemoryException refused =
          catchThrowableOfType(BfcOutOfMemoryException.class, allocator::check);
      assertThat(refused.requestedBytes()).isEqualTo(OUTPUT_BYTES);
      assertThat(refused.verdict()).isEqualTo(OutOfMemoryVerdict.DOES_NOT_FIT);
      assertThat(refused)
          .hasMessageStartingWith(
              "allocator 'engine' is out of memory for 'tensors': 25 KiB (25,600 bytes) requested. ")
          .hasMessageContaining("limit: " + ByteCount.exact(limitBytes));
      allocator.check(); // a failure is thrown once
      OnnxRuntimeReport report = allocator.report();
      assertThat(report.overflow().refusedRequests()).isGreaterThan(1);
      assertThat(report.overflow().peakBytes()).isGreaterThanOrEqualTo(2 * OUTPUT_BYTES);
      assertThat(report.overflow().bytesInUse()).isZero();
      assertThat(report.toString())
          .contains(
              "refused requests: "
                  + report.overflow().refusedRequests()
                  + "; their memory outside the limit:"
                  + " 0 bytes in use");
      assertThat(allocator.statistics().reservedBytes()).isLessThanOrEqualTo(limitBytes);
    }
  }

  @Test
  void close_overflowMemoryInUse_isRefused() throws OrtException {
    try (HostMemory host = HostMemory.open();
        OnnxTensor x = Engine.rows(ROWS)) {
      OnnxRuntimeAllocator allocator =
          OnnxRuntimeAllocator.register("engine", host, EXACT.withLimit(256));
      OrtSession session = Engine.session(TinyModel.withoutWeights(), allocator);
      OrtSession.Result result = session.run(Map.of("x", x));
      session.close();
      assertThatThrownBy(allocator::close)
          .hasMessage(
              "allocator 'engine' cannot be closed: sessions or results hold 25 KiB (25,600 bytes) in 1 "
                  + "allocations (outside the limit 25 KiB); close them first");
      result.close();
      allocator.close();
    }
  }

  @Test
  void report_taggedSessions_saysWhoUsedWhat() throws OrtException {
    try (HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator allocator = OnnxRuntimeAllocator.register("engine", host, EXACT)) {
      AllocationTag tag = AllocationTag.of("tiny");
      try (OrtSession session = tag.call(() -> Engine.session(MODEL, allocator));
          OnnxTensor x = Engine.rows(ROWS);
          OrtSession.Result _ = tag.call(() -> session.run(Map.of("x", x)))) {
        OnnxRuntimeReport report = allocator.report();
        assertThat(report.tags().stream().map(OnnxRuntimeReport.TagUsage::tag))
            .containsExactlyInAnyOrder("tiny/weights", "tiny/tensors");
        OnnxRuntimeReport.TagUsage tensors = usage(report, "tiny/tensors");
        assertThat(tensors.requestedBytesInUse()).isEqualTo(OUTPUT_BYTES);
        assertThat(tensors.peakRequestedBytes()).isGreaterThan(OUTPUT_BYTES);
        assertThat(tensors.allocations()).isGreaterThan(1);
        assertThat(report.memory().holders()).hasSize(2);
      }
      assertThat(usage(allocator.report(), "tiny/weights").requestedBytesInUse()).isZero();
    }
  }

  private static OnnxRuntimeReport.TagUsage usage(OnnxRuntimeReport report, String tag) {
    return report.tags().stream()
        .filter(usage -> usage.tag().equals(tag))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void listener_throwsAlways_outputsAreRightAndCheckTells() throws OrtException {
    AllocationListener broken =
        new AllocationListener() {
          @Override
          public void allocated(Allocation allocation) {
            throw new UnsupportedOperationException("allocated");
          }

          @Override
          public void freed(long id) {
            throw new StackOverflowError("freed");
          }

          @Override
          public void failed(long bytes) {
            throw new UnsupportedOperationException("failed");
          }
        };
    try (HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator allocator =
            OnnxRuntimeAllocator.register("engine", host, EXACT, broken);
        OrtSession own = Engine.session(MODEL);
        OrtSession ours = Engine.session(MODEL, allocator);
        OnnxTensor x = Engine.rows(ROWS)) {
      List<float[]> expected = Engine.run(own, Map.of("x", x));
      assertThat(Engine.run(ours, Map.of("x", x))).usingRecursiveComparison().isEqualTo(expected);
      assertThatThrownBy(allocator::check)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "the listener or the system failed during a request of ONNX Runtime: "
                  + "java.lang.UnsupportedOperationException: allocated")
          .hasCauseInstanceOf(UnsupportedOperationException.class);
      assertThat(allocator.report().overflow().refusedRequests()).isZero();
    }
  }

  @Tag("full")
  @Test
  void runs_ofManyThreads_outputsAreTheSame() throws Exception {
    try (HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator allocator = OnnxRuntimeAllocator.register("engine", host, EXACT)) {
      try (OrtSession own = Engine.session(MODEL);
          OrtSession ours = Engine.session(MODEL, allocator);
          ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
        List<Future<Void>> threads = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
          int rows = 10 + thread;
          threads.add(
              executor.submit(() -> {
                runOften(rows, allocator, own, ours);
                return null;
              }));
        }
        for (Future<Void> thread : threads) {
          thread.get();
        }
      }
      allocator.check();
      assertThat(allocator.statistics().bytesInUse()).isZero();
    }
  }

  private static void runOften(
      int rows, OnnxRuntimeAllocator allocator, OrtSession own, OrtSession shared)
      throws OrtException {
    try (OnnxTensor x = Engine.rows(rows);
        OrtSession alone = Engine.session(MODEL, allocator)) {
      List<float[]> expected = Engine.run(own, Map.of("x", x));
      for (int run = 0; run < 50; run++) {
        assertThat(Engine.run(run % 2 == 0 ? shared : alone, Map.of("x", x)))
            .usingRecursiveComparison()
            .isEqualTo(expected);
      }
    }
  }

  static List<BfcOptions> optionsOfOneRegion() {
    return List.of(
        EXACT,
        BfcOptions.expandable(),
        BfcOptions.expandable().withTrimThreshold(1),
        BfcOptions.oneRegion(4 << 20));
  }

  @ParameterizedTest
  @MethodSource("optionsOfOneRegion")
  void recordedRun_replayed_goesToTheSameRegionsAndOffsets(BfcOptions options) throws Exception {
    Path trace = folder.resolve("run.csv.gz");
    List<Long> addresses = new ArrayList<>();
    try (TraceRecorder recorder = TraceRecorder.create(trace);
        HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator allocator =
            OnnxRuntimeAllocator.register(
                "engine", host, options, new Addresses(recorder, addresses))) {
      try (OrtSession session = Engine.session(MODEL, allocator)) {
        for (int rows = 1; rows < ROWS; rows += 7) {
          try (OnnxTensor x = Engine.rows(rows)) {
            Engine.run(session, Map.of("x", x));
          }
        }
      }
      allocator.check();
    }
    long start = addresses.getFirst(); // the first request lies where the one region starts
    List<Long> replayed = new ArrayList<>();
    TraceReplay replay = new TraceReplay(options, placement -> replayed.add(offset(placement)));
    TraceReader.read("run.csv.gz", trace, TraceOptions.strict(), replay);
    assertThat(replay.result().failures()).isZero();
    assertThat(replayed).isEqualTo(addresses.stream().map(address -> address - start).toList());
  }

  private static long offset(Placement placement) {
    Placement.Spot spot = placement.spot().orElseThrow();
    assertThat(spot.regionIndex()).isZero();
    return spot.offset();
  }

  /** A listener that records addresses and forwards all calls. */
  private record Addresses(AllocationListener next, List<Long> addresses)
      implements AllocationListener {

    @Override
    public void allocated(Allocation allocation) {
      addresses.add(allocation.address());
      next.allocated(allocation);
    }

    @Override
    public void freed(long id) {
      next.freed(id);
    }

    @Override
    public void failed(long bytes) {
      next.failed(bytes);
    }
  }
}
