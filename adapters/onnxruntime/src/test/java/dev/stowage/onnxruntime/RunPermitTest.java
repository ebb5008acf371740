package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.MemoryAccount;
import dev.stowage.allocator.MemoryRefusedException;
import dev.stowage.allocator.SubAllocator;
import dev.stowage.memory.device.HostMemory;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Permits with the memory of an engine that is not called. */
class RunPermitTest {

  private static final long MIB = 1 << 20;
  private static final OnnxRuntimeOptions OPTIONS =
      OnnxRuntimeOptions.of(BfcOptions.expandable().withLimit(64 * MIB));

  private final HostMemory host = HostMemory.open();

  @AfterEach
  void closeHost() {
    host.close();
  }

  private EngineMemory memory(OnnxRuntimeOptions options) {
    return new EngineMemory("engine", EngineRegions.ofHost(host.newSubAllocator()), options);
  }

  private static RunPermit permit(EngineMemory memory, long bytes) {
    return new RunPermit(memory, memory.account().charge(bytes, "runs"));
  }

  private static void run(EngineMemory memory, long bytes) {
    try (RunPermit _ = permit(memory, bytes)) {
      memory.free(memory.allocate(bytes));
    }
  }

  private static void close(EngineMemory memory) {
    memory.checkInvariants();
    memory.close(() -> {});
  }

  @Test
  void admit_beyondTheLimitLessTheReserve_isRefused() {
    EngineMemory memory = memory(OPTIONS);
    try (RunPermit permit = permit(memory, 50 * MIB)) {
      assertThat(permit.bytes()).isEqualTo(50 * MIB);
      assertThatExceptionOfType(MemoryRefusedException.class)
          .isThrownBy(() -> permit(memory, 10 * MIB))
          .withMessageStartingWith(
              "account 'engine' is out of memory: 10 MiB (10,485,760 bytes) requested for 'runs'. Its"
                  + " limit is 4 MiB (4,194,304 bytes) too low. In use: 50 MiB; limit: 56 MiB");
      permit.resize(MIB);
      permit(memory, 10 * MIB).close();
    }
    close(memory);
  }

  @Test
  void close_twiceInManyThreads_endsTheRunOnce() throws Exception {
    EngineMemory memory = memory(OPTIONS.withTrims());
    RunPermit permit = permit(memory, 1000);
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int thread = 0; thread < 10; thread++) {
        Future<?> _ = executor.submit(permit::close);
      }
    }
    assertThat(permit.bytes()).isZero();
    assertThat(memory.account().usedBytes()).isZero();
    close(memory);
  }

  @Test
  void close_eightRunsAfterALargeBatch_returnsItsMemory() {
    EngineMemory memory = memory(OPTIONS.withTrims());
    run(memory, 40 * MIB);
    for (int run = 0; run < TrimPolicy.RUNS - 1; run++) {
      run(memory, 4 * MIB);
      assertThat(memory.statistics().reservedBytes()).isGreaterThanOrEqualTo(40 * MIB);
    }
    run(memory, 4 * MIB);
    assertThat(memory.statistics().reservedBytes()).isLessThanOrEqualTo(4 * MIB);
    long trims = memory.trims();
    for (int run = 0; run < 50; run++) {
      run(memory, 4 * MIB);
    }
    assertThat(memory.trims()).isLessThanOrEqualTo(trims);
    close(memory);
  }

  @Test
  void close_withoutTrims_keepsTheMemory() {
    EngineMemory memory = memory(OPTIONS);
    run(memory, 40 * MIB);
    for (int run = 0; run < 20; run++) {
      run(memory, 4 * MIB);
    }
    assertThat(memory.statistics().reservedBytes()).isGreaterThanOrEqualTo(40 * MIB);
    close(memory);
  }

  @Test
  void close_systemDoesNotTakeMemoryBack_checkThrows() {
    SubAllocator regions = host.newSubAllocator();
    SubAllocator failing =
        new SubAllocator() {
          @Override
          public OptionalLong allocate(long bytes) {
            return regions.allocate(bytes);
          }

          @Override
          public void free(long address, long bytes) {
            regions.free(address, bytes);
            throw new IllegalStateException("lost device");
          }
        };
    EngineMemory memory =
        new EngineMemory(
            "engine",
            EngineRegions.ofHost(failing),
            OnnxRuntimeOptions.of(BfcOptions.growing().withLimit(64 * MIB)).withTrims());
    run(memory, 16 * MIB);
    for (int run = 0; run < TrimPolicy.RUNS; run++) {
      permit(memory, 256).close();
    }
    assertThat(memory.account().usedBytes()).isZero();
    assertThatThrownBy(memory::throwFailures).hasMessageContaining("lost device");
  }

  @Test
  void close_permitIsOpen_isRejected() {
    EngineMemory memory = memory(OPTIONS);
    RunPermit permit = permit(memory, 1000);
    assertThatThrownBy(() -> memory.close(() -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("account 'engine' cannot be closed: 1,000 bytes are charged to it");
    permit.close();
    close(memory);
    assertThatThrownBy(() -> permit(memory, 1)).hasMessage("account 'engine' is closed");
  }

  @Test
  void account_ofTheService_isSharedAndStaysOpen() {
    MemoryAccount service = MemoryAccount.root("service", 10 * MIB);
    EngineMemory memory = memory(OPTIONS.withAccount(service));
    try (MemoryAccount.Charge _ = service.charge(8 * MIB, "index")) {
      assertThatExceptionOfType(MemoryRefusedException.class)
          .isThrownBy(() -> permit(memory, 3 * MIB))
          .satisfies(
              refused -> assertThat(refused.level().holders().getFirst().tag()).isEqualTo("index"));
      close(memory);
    }
    assertThat(service.usedBytes()).isZero();
  }

  @Test
  void withReserve_withAnAccountOfTheService_isRejected() {
    MemoryAccount service = MemoryAccount.root("service", 10 * MIB);
    assertThat(OPTIONS.reserveBytes()).isEqualTo(8 * MIB);
    assertThat(OPTIONS.withAccount(service).reserveBytes()).isZero();
    assertThatThrownBy(() -> OPTIONS.withReserve(MIB).withAccount(service))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "an account of the service has no reserve; lower its limit instead: reserveBytes=1048576");
    assertThatThrownBy(() -> OPTIONS.withAccount(service).withReserve(MIB))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** A listener that calls the memory. */
  private static final class CallingListener implements AllocationListener {

    private Runnable call = () -> {};

    @Override
    public void allocated(Allocation allocation) {
      call.run();
    }

    @Override
    public void freed(long id) {}

    @Override
    public void failed(long bytes) {}
  }

  @Test
  void report_ofTheListener_isRejectedAndCheckThrows() {
    CallingListener listener = new CallingListener();
    EngineMemory memory = memory(OPTIONS.withListener(listener));
    listener.call = memory::report;
    run(memory, 1000);
    assertThatThrownBy(memory::throwFailures)
        .hasRootCauseMessage(
            "the listener of allocator 'engine' cannot use its sessions, permits and reports: use"
                + " them after the listener has returned");
    close(memory);
  }
}
