package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.onnxruntime.capi.OnnxRuntimeApi;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sessions of ONNX Runtime with memory of their own. */
class SessionMemoryTest {

  private static final int ROWS = 100;
  private static final long OUTPUT_BYTES = 4L * ROWS * TinyModel.COLUMNS;
  private static final Duration NO_WAIT = Duration.ZERO;
  private static final byte[] MODEL = TinyModel.withLayers(6);
  private static final long LOADING_BYTES = 1 << 20;

  private final HostMemory host = HostMemory.open();

  @BeforeEach
  void loadLibrary() {
    OrtEnvironment.getEnvironment();
  }

  @AfterEach
  void closeHost() {
    host.close();
  }

  private OnnxRuntimeAllocator allocator(BfcOptions options) {
    return OnnxRuntimeAllocator.register("engine", host, options.withSplitThreshold(256));
  }

  private static OrtSession load(
      OnnxRuntimeAllocator allocator, SessionMemory memory, byte[] model, int threads)
      throws OrtException, InterruptedException {
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      allocator.configure(options);
      options.setIntraOpNumThreads(threads);
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR);
      return memory.load(
          LOADING_BYTES,
          NO_WAIT,
          () -> OrtEnvironment.getEnvironment().createSession(model, options));
    }
  }

  @Test
  void usage_twoSessionsThatRunInTurn_isOfEachSession() throws Exception {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable());
        OnnxTensor x = Engine.rows(ROWS);
        SessionMemory small = allocator.openSession("small", SessionLimits.none());
        SessionMemory large = allocator.openSession("large", SessionLimits.none());
        OrtSession smallSession = load(allocator, small, TinyModel.withoutWeights(), 1);
        OrtSession largeSession = load(allocator, large, MODEL, 1)) {
      assertThat(small.usage().bytes().kept()).isZero();
      long weightBytes = large.usage().bytes().kept();
      assertThat(weightBytes).isEqualTo(allocator.statistics().bytesInUse()).isPositive();
      for (int run = 0; run < 3; run++) {
        try (RunPermit permit = small.admit(OUTPUT_BYTES, NO_WAIT);
            OrtSession.Result _ = permit.call(() -> smallSession.run(Map.of("x", x)))) {
          assertThat(small.usage().bytes().inUse()).isEqualTo(OUTPUT_BYTES);
          assertThat(large.usage().bytes().inUse()).isEqualTo(weightBytes);
          assertThat(permit.peakBytes()).isEqualTo(OUTPUT_BYTES);
        }
        try (RunPermit permit = large.admit(1 << 20, NO_WAIT);
            OrtSession.Result _ = permit.call(() -> largeSession.run(Map.of("x", x)))) {
          assertThat(large.usage().bytes().inUse()).isEqualTo(weightBytes + OUTPUT_BYTES);
          assertThat(permit.peakBytes()).isGreaterThanOrEqualTo(2 * OUTPUT_BYTES);
        }
        assertThat(large.usage().bytes().inUse()).isEqualTo(weightBytes);
      }
      assertThat(small.usage().runs().count()).isEqualTo(3);
      assertThat(small.usage().runs().largestBytes()).isEqualTo(OUTPUT_BYTES);
      assertThat(small.usage().runs().overruns()).isZero();
      assertThat(large.usage().bytes().peak())
          .isEqualTo(
              Math.max(
                  large.usage().bytes().peak(), weightBytes + large.usage().runs().largestBytes()));
      assertThat(allocator.report().tags())
          .extracting(TagUsage::tag)
          .contains("small/tensors", "large/tensors", "large/weights");
      assertThat(allocator.report().toString()).contains("overruns", "  small", "  large");
      allocator.check();
    }
  }

  @Test
  void load_codeRemovesTheAllocator_itIsRegisteredAgain() throws Exception {
    OnnxRuntimeApi api = OnnxRuntimeApi.ofLoadedLibrary();
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable());
        SessionMemory memory = allocator.openSession("session", SessionLimits.none())) {
      long env = api.createEnv();
      long memoryInfo = api.createMemoryInfo(OnnxRuntimeApi.DEVICE_ALLOCATOR);
      try {
        assertThat(
                memory.load(
                    1000,
                    NO_WAIT,
                    () -> {
                      api.unregisterAllocator(env, memoryInfo);
                      return "session";
                    }))
            .isEqualTo("session");
      } finally {
        api.releaseEnv(env);
      }
      memory.check();
      try (OrtSession _ = Engine.session(MODEL, allocator)) {
        assertThat(allocator.statistics().bytesInUse()).isPositive();
      }
    }
  }

  @Test
  void usage_sessionWithThreadsOfTheEngine_isComplete() throws Exception {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable());
        OnnxTensor x = Engine.rows(ROWS);
        SessionMemory memory = allocator.openSession("one", SessionLimits.none());
        OrtSession session = load(allocator, memory, MODEL, 4)) {
      for (int run = 0; run < 20; run++) {
        try (RunPermit permit = memory.admit(1 << 20, NO_WAIT);
            OrtSession.Result _ = permit.call(() -> session.run(Map.of("x", x)))) {
          assertThat(memory.usage().bytes().inUse())
              .isEqualTo(memory.usage().bytes().kept() + OUTPUT_BYTES);
        }
        assertThat(memory.usage().bytes().inUse()).isEqualTo(allocator.statistics().bytesInUse());
      }
      assertThat(memory.usage().runs().unattributedAllocations()).isZero();
    }
  }

  @Test
  void usage_sessionThatIsNotLoadedHere_isNotCharged() throws Exception {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable());
        SessionMemory memory = allocator.openSession("own", SessionLimits.none());
        OrtSession _ = load(allocator, memory, TinyModel.withoutWeights(), 1);
        OrtSession _ = Engine.session(MODEL, allocator)) {
      assertThat(memory.usage().bytes().inUse()).isZero();
      assertThat(allocator.statistics().bytesInUse()).isPositive();
    }
  }

  @Test
  void admit_limitReached_isRejectedBeforeTheEngineIsCalled() throws Exception {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable().withLimit(8 << 20));
        SessionMemory memory = allocator.openSession("classifier", SessionLimits.none())) {
      RunPermit first = memory.admit(6 << 20, NO_WAIT);
      assertThat(first.admittedBytes()).isEqualTo(6 << 20);
      assertThatThrownBy(() -> memory.admit(2 << 20, NO_WAIT))
          .isInstanceOfSatisfying(
              AdmissionException.class,
              rejected -> {
                assertThat(rejected.session()).isEqualTo("classifier");
                assertThat(rejected.requestedBytes()).isEqualTo(2 << 20);
                assertThat(rejected.isPermanent()).isFalse();
              })
          .hasMessage(
              "session 'classifier' did not get 2 MiB (2,097,152 bytes) within PT0S: 1 MiB are free"
                  + " for it, and 0 earlier requests wait. Wait longer, or raise the limit.");
      assertThatThrownBy(() -> memory.admit(8 << 20, NO_WAIT))
          .isInstanceOfSatisfying(
              AdmissionException.class, rejected -> assertThat(rejected.isPermanent()).isTrue())
          .hasMessage(
              "session 'classifier' can never get 8 MiB (8,388,608 bytes): of 7 MiB (7,340,032 bytes)"
                  + " for admission, loaded models and the reservations of other sessions take 0"
                  + " bytes. Request fewer bytes, or raise the limit.");
      assertThat(memory.usage().rejections()).isEqualTo(2);
      first.close();
      memory.admit(2 << 20, NO_WAIT).close();
    }
  }

  @Test
  void load_tooManyBytes_codeIsNotRun() throws Exception {
    AtomicBoolean ran = new AtomicBoolean();
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable().withLimit(1 << 20));
        SessionMemory memory = allocator.openSession("a", SessionLimits.none().withLimit(1000))) {
      assertThatThrownBy(() ->
              memory.load(
                  1001,
                  NO_WAIT,
                  () -> {
                    ran.set(true);
                    return "";
                  }))
          .isInstanceOf(AdmissionException.class)
          .hasMessage(
              "session 'a' can never get 1,001 bytes: of the session's limit of 1,000 bytes, its"
                  + " loaded models take 0 bytes. Request fewer bytes, or raise the limit.");
      assertThat(ran).isFalse();
    }
  }

  @Test
  void load_codeFails_releasesTheBytesAndLaterSessionsAreSeparate() throws Exception {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable());
        SessionMemory memory = allocator.openSession("a", SessionLimits.none())) {
      assertThatThrownBy(() -> load(allocator, memory, new byte[] {1, 2, 3}, 1))
          .isInstanceOf(OrtException.class);
      assertThat(memory.usage().bytes().charged()).isZero();
      try (OrtSession _ = Engine.session(MODEL, allocator)) {
        assertThat(memory.usage().bytes().inUse()).isZero();
      }
    }
  }

  @Test
  void load_inTheCodeOfAnotherLoad_isRejected() throws Exception {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable());
        SessionMemory outer = allocator.openSession("outer", SessionLimits.none());
        SessionMemory inner = allocator.openSession("inner", SessionLimits.none())) {
      assertThatThrownBy(
              () -> outer.load(1000, NO_WAIT, () -> inner.load(1000, NO_WAIT, () -> "session")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "session 'inner' cannot be created by the code that creates another session: create"
                  + " it before or after");
      assertThat(inner.usage().bytes().charged() + outer.usage().bytes().charged()).isZero();
      assertThat(inner.load(1000, NO_WAIT, () -> "session")).isEqualTo("session");
    }
  }

  @Test
  void check_runBeyondTheLimit_namesTheSession() throws Exception {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable().withLimit(16 << 10));
        OnnxTensor x = Engine.rows(ROWS);
        SessionMemory good = allocator.openSession("good", SessionLimits.none());
        SessionMemory greedy = allocator.openSession("greedy", SessionLimits.none());
        OrtSession session = loadWithin(allocator, greedy)) {
      try (RunPermit permit = greedy.admit(1 << 10, NO_WAIT);
          OrtSession.Result _ = permit.call(() -> session.run(Map.of("x", x)))) {
        assertThatCode(good::check).doesNotThrowAnyException();
        assertThatThrownBy(greedy::check)
            .isInstanceOf(BfcOutOfMemoryException.class)
            .hasMessageStartingWith(
                "allocator 'engine' is out of memory for 'greedy/tensors': 25 KiB (25,600 bytes) requested.");
        greedy.check(); // a failure is thrown once
        allocator.check();
        assertThat(permit.peakBytes()).isEqualTo(OUTPUT_BYTES); // with memory of the C library
      }
      assertThat(greedy.usage().runs().overruns()).isEqualTo(1);
      assertThat(greedy.usage().refusedRequests()).isEqualTo(1);
      assertThat(allocator.report().overflow().refusedRequests()).isEqualTo(1);
    }
  }

  private static OrtSession loadWithin(OnnxRuntimeAllocator allocator, SessionMemory memory)
      throws OrtException, InterruptedException {
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      allocator.configure(options);
      return memory.load(
          1 << 10,
          NO_WAIT,
          () -> OrtEnvironment.getEnvironment().createSession(TinyModel.withoutWeights(), options));
    }
  }

  @Test
  void check_ofTheAllocator_throwsFailuresOfSessions() throws Exception {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable().withLimit(16 << 10));
        OnnxTensor x = Engine.rows(ROWS);
        SessionMemory greedy = allocator.openSession("greedy", SessionLimits.none());
        OrtSession session = loadWithin(allocator, greedy);
        OrtSession.Result _ = session.run(Map.of("x", x))) {
      assertThatThrownBy(allocator::check).hasMessageContaining("for 'greedy/tensors'");
      greedy.check();
    }
  }

  @Test
  void close_resultOpenAfterItsPermit_rangeStaysChargedUntilItIsClosed() throws Exception {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable())) {
      SessionMemory memory = allocator.openSession("a", SessionLimits.none());
      try (OnnxTensor x = Engine.rows(ROWS);
          OrtSession session = load(allocator, memory, TinyModel.withoutWeights(), 1)) {
        RunPermit permit = memory.admit(1 << 20, NO_WAIT);
        OrtSession.Result result = permit.call(() -> session.run(Map.of("x", x)));
        assertThat(memory.usage().bytes().charged()).isEqualTo(1 << 20);
        permit.close();
        permit.close();
        assertThat(memory.usage().bytes().charged()).isEqualTo(1 << 20);
        assertThat(permit.peakBytes()).isEqualTo(OUTPUT_BYTES);
        assertThat(memory.usage().runs().count()).isEqualTo(1);
        assertThatThrownBy(memory::close)
            .isInstanceOf(IllegalStateException.class)
            .hasMessage(
                "session 'a' cannot be closed: bytesInUse=25600, open permits=0, waiting"
                    + " requests=0; close its session of ONNX Runtime, results and permits first");
        result.close();
        assertThat(memory.usage().bytes().charged()).isZero();
        assertThat(permit.peakBytes()).isEqualTo(OUTPUT_BYTES);
        assertThat(allocator.statistics().bytesInUse()).isZero();
      }
      memory.close();
      assertThatCode(memory::close).doesNotThrowAnyException();
      assertThatThrownBy(() -> memory.admit(1, NO_WAIT)).hasMessage("session 'a' is closed");
    }
  }

  @Test
  void openSession_nameTwiceOrReservationsTooLarge_isRejected() {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable().withLimit(8 << 20));
        SessionMemory _ =
            allocator.openSession("a", SessionLimits.none().withReservation(5 << 20))) {
      assertThatThrownBy(() -> allocator.openSession("a", SessionLimits.none()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("session 'a' is open: close it first, or use another name");
      assertThatThrownBy(
              () -> allocator.openSession("b", SessionLimits.none().withReservation(3 << 20)))
          .isInstanceOf(AdmissionException.class)
          .hasMessage(
              "session 'b' cannot reserve 3 MiB (3,145,728 bytes): of 7 MiB (7,340,032 bytes) for"
                  + " admission, 2 MiB are free. Close other sessions, or reserve less.");
      assertThatThrownBy(() -> allocator.openSession("", SessionLimits.none()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("name must not be empty: name=''");
    }
  }

  @Test
  void admitEstimated_hundredRunsLater_isTheirPercentile() throws Exception {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable());
        OnnxTensor x = Engine.rows(ROWS);
        SessionMemory memory =
            allocator.openSession("a", SessionLimits.none().withEstimate(1 << 20));
        OrtSession session = load(allocator, memory, TinyModel.withoutWeights(), 1)) {
      for (int run = 0; run < 100; run++) {
        try (RunPermit permit = memory.admit(NO_WAIT);
            OrtSession.Result _ = permit.call(() -> session.run(Map.of("x", x)))) {
          assertThat(permit.admittedBytes()).isEqualTo(1 << 20);
        }
      }
      try (RunPermit permit = memory.admit(NO_WAIT);
          OnnxTensor more = Engine.rows(2 * ROWS);
          OrtSession.Result _ = permit.call(() -> session.run(Map.of("x", more)))) {
        assertThat(permit.admittedBytes()).isEqualTo(OUTPUT_BYTES);
        assertThat(memory.usage().bytes().charged()).isEqualTo(3 * OUTPUT_BYTES);
        assertThat(permit.peakBytes()).isEqualTo(2 * OUTPUT_BYTES);
      }
      assertThat(memory.usage().runs().overruns()).isEqualTo(1);
      assertThat(memory.usage().runs().percentileBytes()).hasValue(OUTPUT_BYTES);
      allocator.check();
    }
  }

  @Test
  void admitEstimated_sessionWithoutEstimates_isRejected() {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable());
        SessionMemory memory = allocator.openSession("a", SessionLimits.none())) {
      assertThatThrownBy(() -> memory.admit(NO_WAIT))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "session 'a' has no estimates: open it with SessionLimits.withEstimate, or pass the"
                  + " bytes of the run");
    }
  }

  @Tag("full")
  @Test
  void runs_ofManyVirtualThreadsUnderALimit_areNotRefusedInTheEngine() throws Exception {
    long runBytes = 4 * OUTPUT_BYTES;
    AtomicLong admitted = new AtomicLong();
    AtomicLong most = new AtomicLong();
    try (OnnxRuntimeAllocator allocator =
            allocator(BfcOptions.expandable().withLimit(LOADING_BYTES + (LOADING_BYTES / 2)));
        OnnxTensor x = Engine.rows(ROWS);
        SessionMemory memory = allocator.openSession("a", SessionLimits.none());
        OrtSession session = load(allocator, memory, MODEL, 1)) {
      List<float[]> expected = Engine.run(session, Map.of("x", x));
      try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<List<float[]>>> runs = new ArrayList<>();
        for (int run = 0; run < 100; run++) {
          runs.add(
              executor.submit(() -> {
                try (RunPermit permit = memory.admit(runBytes, Duration.ofDays(1))) {
                  most.accumulateAndGet(admitted.incrementAndGet(), Math::max);
                  try {
                    return permit.call(() -> Engine.run(session, Map.of("x", x)));
                  } finally {
                    admitted.decrementAndGet();
                  }
                }
              }));
        }
        for (Future<List<float[]>> run : runs) {
          assertThat(run.get()).usingRecursiveComparison().isEqualTo(expected);
        }
      }
      allocator.check();
      assertThat(allocator.report().overflow().refusedRequests()).isZero();
      assertThat(memory.usage().runs().count()).isEqualTo(100);
      assertThat(memory.usage().runs().overruns()).isZero();
      assertThat(most.get()).isLessThanOrEqualTo(1_400_000 / runBytes);
    }
  }

  @Test
  void load_inTwoThreads_eachSessionHasItsOwnBytes() throws Exception {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable());
        SessionMemory small = allocator.openSession("small", SessionLimits.none());
        SessionMemory large = allocator.openSession("large", SessionLimits.none());
        ExecutorService executor = Executors.newFixedThreadPool(2)) {
      CountDownLatch start = new CountDownLatch(2);
      Future<OrtSession> first = executor.submit(() -> loadTogether(allocator, small, 1, start));
      Future<OrtSession> second = executor.submit(() -> loadTogether(allocator, large, 12, start));
      try (OrtSession _ = first.get();
          OrtSession _ = second.get()) {
        assertThat(large.usage().bytes().inUse() - small.usage().bytes().inUse())
            .isGreaterThan(small.usage().bytes().inUse());
        assertThat(large.usage().bytes().inUse() + small.usage().bytes().inUse())
            .isEqualTo(allocator.statistics().bytesInUse());
      }
    }
  }

  private static OrtSession loadTogether(
      OnnxRuntimeAllocator allocator, SessionMemory memory, int layers, CountDownLatch start)
      throws Exception {
    byte[] model = TinyModel.withLayers(layers);
    start.countDown();
    start.await();
    return load(allocator, memory, model, 1);
  }
}
