package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import dev.stowage.allocator.AllocatorReport;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.MemoryRefusedException;
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
        SessionMemory small = allocator.openSession("small", 0, Long.MAX_VALUE);
        SessionMemory large = allocator.openSession("large", 0, Long.MAX_VALUE);
        OrtSession smallSession = load(allocator, small, TinyModel.withoutWeights(), 1);
        OrtSession largeSession = load(allocator, large, MODEL, 1)) {
      assertThat(small.account().usedBytes()).isZero();
      long weightBytes = large.account().usedBytes();
      assertThat(weightBytes).isEqualTo(allocator.statistics().bytesInUse()).isPositive();
      for (int run = 0; run < 3; run++) {
        try (RunPermit _ = small.admit(OUTPUT_BYTES, NO_WAIT);
            OrtSession.Result _ = smallSession.run(Map.of("x", x))) {
          assertThat(small.bytesInUse()).isEqualTo(OUTPUT_BYTES);
          assertThat(large.bytesInUse()).isEqualTo(weightBytes);
          assertThat(small.account().usedBytes()).isEqualTo(OUTPUT_BYTES);
        }
        large.clearPeak();
        try (RunPermit _ = large.admit(1 << 20, NO_WAIT);
            OrtSession.Result _ = largeSession.run(Map.of("x", x))) {
          assertThat(large.bytesInUse()).isEqualTo(weightBytes + OUTPUT_BYTES);
          assertThat(large.peakBytes()).isGreaterThanOrEqualTo(weightBytes + 2 * OUTPUT_BYTES);
        }
        assertThat(large.bytesInUse()).isEqualTo(weightBytes);
      }
      assertThat(small.peakBytes()).isEqualTo(OUTPUT_BYTES);
      assertThat(allocator.account().level().holders())
          .containsExactly(new AllocatorReport.Holder("weights", 2, weightBytes, weightBytes));
      assertThat(allocator.report().tags())
          .extracting(OnnxRuntimeReport.TagUsage::tag)
          .contains("small/tensors", "large/tensors", "large/weights");
      assertThat(allocator.report().toString()).contains("charged", "  small", "  large");
      allocator.check();
    }
  }

  @Test
  void load_codeRemovesTheAllocator_itIsRegisteredAgain() throws Exception {
    OnnxRuntimeApi api = OnnxRuntimeApi.ofLoadedLibrary();
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable());
        SessionMemory memory = allocator.openSession("session", 0, Long.MAX_VALUE)) {
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
        SessionMemory memory = allocator.openSession("one", 0, Long.MAX_VALUE);
        OrtSession session = load(allocator, memory, MODEL, 4)) {
      for (int run = 0; run < 20; run++) {
        try (OrtSession.Result _ = session.run(Map.of("x", x))) {
          assertThat(memory.bytesInUse()).isEqualTo(memory.account().usedBytes() + OUTPUT_BYTES);
        }
        assertThat(memory.bytesInUse()).isEqualTo(allocator.statistics().bytesInUse());
      }
    }
  }

  @Test
  void usage_sessionThatIsNotLoadedHere_isNotCharged() throws Exception {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable());
        SessionMemory memory = allocator.openSession("own", 0, Long.MAX_VALUE);
        OrtSession _ = load(allocator, memory, TinyModel.withoutWeights(), 1);
        OrtSession _ = Engine.session(MODEL, allocator)) {
      assertThat(memory.bytesInUse()).isZero();
      assertThat(allocator.statistics().bytesInUse()).isPositive();
    }
  }

  @Test
  void admit_limitReached_isRejectedBeforeTheEngineIsCalled() throws Exception {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable().withLimit(8 << 20));
        SessionMemory memory = allocator.openSession("classifier", 0, Long.MAX_VALUE)) {
      RunPermit first = memory.admit(6 << 20, NO_WAIT);
      assertThat(first.bytes()).isEqualTo(6 << 20);
      assertThatThrownBy(() -> memory.admit(2 << 20, NO_WAIT))
          .isInstanceOfSatisfying(
              MemoryRefusedException.class,
              refused -> {
                assertThat(refused.account()).isEqualTo("engine/classifier");
                assertThat(refused.requestedBytes()).isEqualTo(2 << 20);
                assertThat(refused.isPermanent()).isFalse();
              })
          .hasMessage(
              "account 'engine' is out of memory for account 'engine/classifier': 2 MiB (2,097,152"
                  + " bytes) requested for 'runs'. Its limit is 1 MiB (1,048,576 bytes) too low. In"
                  + " use: 6 MiB; limit: 7 MiB (7,340,032 bytes). Holders: 'runs' 6 MiB in 1 charge."
                  + " Try again when charges have ended, or wait with a timeout.");
      assertThatThrownBy(() -> memory.admit(8 << 20, Duration.ofDays(1)))
          .isInstanceOfSatisfying(
              MemoryRefusedException.class, refused -> assertThat(refused.isPermanent()).isTrue());
      assertThat(allocator.account().level().refused()).isEqualTo(2);
      first.close();
      memory.admit(2 << 20, NO_WAIT).close();
    }
  }

  @Test
  void load_tooManyBytes_codeIsNotRun() throws Exception {
    AtomicBoolean ran = new AtomicBoolean();
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable().withLimit(1 << 20));
        SessionMemory memory = allocator.openSession("a", 0, 1000)) {
      assertThatThrownBy(() ->
              memory.load(
                  1001,
                  NO_WAIT,
                  () -> {
                    ran.set(true);
                    return "";
                  }))
          .isInstanceOf(MemoryRefusedException.class)
          .hasMessage(
              "account 'engine/a' is out of memory: 1,001 bytes requested for 'weights'. Its limit is"
                  + " 1 byte too low. In use: 0 bytes; limit: 1,000 bytes. No wait can help: ask for"
                  + " less, or raise the limit.");
      assertThat(ran).isFalse();
    }
  }

  @Test
  void load_codeFails_releasesTheBytesAndLaterSessionsAreSeparate() throws Exception {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable());
        SessionMemory memory = allocator.openSession("a", 0, Long.MAX_VALUE)) {
      assertThatThrownBy(() -> load(allocator, memory, new byte[] {1, 2, 3}, 1))
          .isInstanceOf(OrtException.class);
      assertThat(memory.account().usedBytes()).isZero();
      try (OrtSession _ = Engine.session(MODEL, allocator)) {
        assertThat(memory.bytesInUse()).isZero();
      }
    }
  }

  @Test
  void load_inTheCodeOfAnotherLoad_isRejected() throws Exception {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable());
        SessionMemory outer = allocator.openSession("outer", 0, Long.MAX_VALUE);
        SessionMemory inner = allocator.openSession("inner", 0, Long.MAX_VALUE)) {
      assertThatThrownBy(
              () -> outer.load(1000, NO_WAIT, () -> inner.load(1000, NO_WAIT, () -> "session")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "session 'inner' cannot be created by the code that creates another session: create"
                  + " it before or after");
      assertThat(inner.account().usedBytes() + outer.account().usedBytes()).isZero();
      assertThat(inner.load(1000, NO_WAIT, () -> "session")).isEqualTo("session");
    }
  }

  @Test
  void check_runBeyondTheLimit_namesTheSession() throws Exception {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable().withLimit(16 << 10));
        OnnxTensor x = Engine.rows(ROWS);
        SessionMemory good = allocator.openSession("good", 0, Long.MAX_VALUE);
        SessionMemory greedy = allocator.openSession("greedy", 0, Long.MAX_VALUE);
        OrtSession session = loadWithin(allocator, greedy)) {
      try (RunPermit _ = greedy.admit(1 << 10, NO_WAIT);
          OrtSession.Result _ = session.run(Map.of("x", x))) {
        assertThatCode(good::check).doesNotThrowAnyException();
        assertThatThrownBy(greedy::check)
            .isInstanceOf(BfcOutOfMemoryException.class)
            .hasMessageStartingWith(
                "allocator 'engine' is out of memory for 'greedy/tensors': 25 KiB (25,600 bytes) requested.");
        greedy.check(); // a failure is thrown once
        allocator.check();
        assertThat(greedy.bytesInUse()).isEqualTo(OUTPUT_BYTES); // with memory of the C library
      }
      assertThat(allocator.report().sessions())
          .extracting(OnnxRuntimeReport.SessionUsage::refusedRequests)
          .containsExactly(0L, 1L);
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
        SessionMemory greedy = allocator.openSession("greedy", 0, Long.MAX_VALUE);
        OrtSession session = loadWithin(allocator, greedy);
        OrtSession.Result _ = session.run(Map.of("x", x))) {
      assertThatThrownBy(allocator::check).hasMessageContaining("for 'greedy/tensors'");
      greedy.check();
    }
  }

  @Test
  void close_resultIsOpen_isRejected() throws Exception {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable())) {
      SessionMemory memory = allocator.openSession("a", 0, Long.MAX_VALUE);
      try (OnnxTensor x = Engine.rows(ROWS);
          OrtSession session = load(allocator, memory, TinyModel.withoutWeights(), 1)) {
        OrtSession.Result result = session.run(Map.of("x", x));
        assertThatThrownBy(memory::close)
            .isInstanceOf(IllegalStateException.class)
            .hasMessage(
                "session 'a' cannot be closed: bytesInUse=25600; close its session of ONNX Runtime"
                    + " and results first");
        result.close();
        assertThat(allocator.statistics().bytesInUse()).isZero();
      }
      RunPermit permit = memory.admit(100, NO_WAIT);
      assertThatThrownBy(memory::close)
          .hasMessage("account 'engine/a' cannot be closed: 100 bytes are charged to it");
      permit.close();
      memory.close();
      assertThatCode(memory::close).doesNotThrowAnyException();
      assertThatThrownBy(() -> memory.admit(1, NO_WAIT)).hasMessage("account 'engine/a' is closed");
    }
  }

  @Test
  void openSession_nameTwiceOrReservationsTooLarge_isRejected() {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable().withLimit(8 << 20));
        SessionMemory _ = allocator.openSession("a", 5 << 20, Long.MAX_VALUE)) {
      assertThatThrownBy(() -> allocator.openSession("a", 0, Long.MAX_VALUE))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("session 'a' is open: close it first, or use another name");
      assertThatThrownBy(() -> allocator.openSession("b", 3 << 20, Long.MAX_VALUE))
          .isInstanceOf(MemoryRefusedException.class)
          .hasMessage(
              "account 'engine' is out of memory: 3 MiB (3,145,728 bytes) requested for 'reservation"
                  + " of b'. Its limit is 1 MiB (1,048,576 bytes) too low. In use: 5 MiB; limit: 7 MiB"
                  + " (7,340,032 bytes). Holders: kept for children 5 MiB. No end of a charge can help,"
                  + " because bytes are reserved ('engine/a' 5 MiB): ask for less, close an account"
                  + " with a reservation, or raise the limit.");
      assertThatThrownBy(() -> allocator.openSession("", 0, Long.MAX_VALUE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("name must not be empty: name=''");
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
        SessionMemory memory = allocator.openSession("a", 0, Long.MAX_VALUE);
        OrtSession session = load(allocator, memory, MODEL, 1)) {
      List<float[]> expected = Engine.run(session, Map.of("x", x));
      try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<List<float[]>>> runs = new ArrayList<>();
        for (int run = 0; run < 100; run++) {
          runs.add(
              executor.submit(() -> {
                try (RunPermit _ = memory.admit(runBytes, Duration.ofDays(1))) {
                  most.accumulateAndGet(admitted.incrementAndGet(), Math::max);
                  try {
                    return Engine.run(session, Map.of("x", x));
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
      assertThat(memory.account().level().waiting()).isZero();
      assertThat(most.get()).isLessThanOrEqualTo(1_400_000 / runBytes);
    }
  }

  @Test
  void load_inTwoThreads_eachSessionHasItsOwnBytes() throws Exception {
    try (OnnxRuntimeAllocator allocator = allocator(BfcOptions.expandable());
        SessionMemory small = allocator.openSession("small", 0, Long.MAX_VALUE);
        SessionMemory large = allocator.openSession("large", 0, Long.MAX_VALUE);
        ExecutorService executor = Executors.newFixedThreadPool(2)) {
      CountDownLatch start = new CountDownLatch(2);
      Future<OrtSession> first = executor.submit(() -> loadTogether(allocator, small, 1, start));
      Future<OrtSession> second = executor.submit(() -> loadTogether(allocator, large, 12, start));
      try (OrtSession _ = first.get();
          OrtSession _ = second.get()) {
        assertThat(large.bytesInUse() - small.bytesInUse()).isGreaterThan(small.bytesInUse());
        assertThat(large.bytesInUse() + small.bytesInUse())
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
