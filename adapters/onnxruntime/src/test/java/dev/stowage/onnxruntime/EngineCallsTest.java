package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtSession;
import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.onnxruntime.capi.OnnxRuntimeApi;
import org.junit.jupiter.api.Test;

class EngineCallsTest {

  @Test
  void statistic_ourAllocatorIsRegistered_hasTheValuesOfAnArena() throws Exception {
    Engine.require123(); // the first version with statistics
    try (HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator allocator =
            OnnxRuntimeAllocator.register(
                "engine", host, BfcOptions.growing().withLimit(64 << 20));
        OrtSession _ = Engine.session(TinyModel.withLayers(3), allocator)) {
      allocator.trim();
      OnnxRuntimeApi api = OnnxRuntimeApi.ofLoadedLibrary();
      long env = api.createEnv();
      try {
        long shared =
            api.sharedAllocator(env, api.createMemoryInfo(OnnxRuntimeApi.DEVICE_ALLOCATOR));
        AllocatorStatistics now = allocator.statistics();
        assertThat(now.bytesInUse()).isPositive();
        assertThat(api.statistic(shared, "Limit")).hasValue("" + (64 << 20));
        assertThat(api.statistic(shared, "InUse")).hasValue("" + now.bytesInUse());
        assertThat(api.statistic(shared, "TotalAllocated")).hasValue("" + now.reservedBytes());
        assertThat(api.statistic(shared, "MaxInUse")).hasValue("" + now.peakBytesInUse());
        assertThat(api.statistic(shared, "NumAllocs")).hasValue("" + now.allocations());
        assertThat(api.statistic(shared, "NumReserves").map(Long::parseLong).orElseThrow())
            .isBetween(3L, now.allocations());
        assertThat(api.statistic(shared, "NumArenaExtensions")).hasValue("1");
        assertThat(api.statistic(shared, "NumArenaShrinkages")).hasValue("1");
        assertThat(api.statistic(shared, "MaxAllocSize")).hasValue("" + now.largestChunkBytes());
        assertThat(api.statistic(shared, "Stowage")).hasValue("engine");
        assertThat(api.statistic(shared, "Other")).isEmpty();
      } finally {
        api.releaseEnv(env);
      }
    }
  }
}
