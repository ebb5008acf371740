package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtSession;
import dev.stowage.core.bfc.Allocation;
import dev.stowage.core.bfc.AllocationListener;
import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.core.bfc.BfcOutOfMemoryException;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.testing.SampleModels;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of real models on the allocator, skipped on machines without these models. */
class SampleModelsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "light_squeezenet",
        "light_shufflenet",
        "light_inception_v1",
        "fastestdet",
        "yunet_n_640",
        "ultraface_rfb320"
      })
  void run_realModel_outputsAreTheSameAndNothingIsLiveAtTheEnd(String name) throws Exception {
    byte[] model = Files.readAllBytes(SampleModels.folder("models/onnx").resolve(name + ".onnx"));
    AtomicLong misaligned = new AtomicLong();
    try (HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator allocator =
            OnnxRuntimeAllocator.register(
                "engine", host, BfcOptions.expandable(), alignment(misaligned))) {
      try (OrtSession own = Engine.session(model);
          OrtSession ours = Engine.session(model, allocator)) {
        Map<String, OnnxTensor> inputs = Engine.inputs(own);
        List<float[]> expected = Engine.run(own, inputs);
        for (int run = 0; run < 3; run++) {
          assertThat(Engine.run(ours, inputs)).usingRecursiveComparison().isEqualTo(expected);
        }
        inputs.values().forEach(OnnxTensor::close);
      }
      allocator.check();
      assertThat(allocator.statistics().bytesInUse()).isZero();
      assertThat(allocator.statistics().allocations()).isPositive();
    }
    assertThat(misaligned).hasValue(0);
  }

  private static AllocationListener alignment(AtomicLong misaligned) {
    return new AllocationListener() {
      @Override
      public void allocated(Allocation allocation) {
        if (allocation.address() % OverflowMemory.ALIGNMENT_BYTES != 0) {
          misaligned.incrementAndGet();
        }
      }

      @Override
      public void freed(long id) {}

      @Override
      public void failed(long bytes) {}
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"yunet_n_640", "ultraface_rfb320"})
  void run_halfOfTheMemory_outputsAreTheSameAndCheckTells(String name) throws Exception {
    byte[] model = Files.readAllBytes(SampleModels.folder("models/onnx").resolve(name + ".onnx"));
    try (HostMemory host = HostMemory.open();
        OrtSession own = Engine.session(model)) {
      Map<String, OnnxTensor> inputs = Engine.inputs(own);
      List<float[]> expected = Engine.run(own, inputs);
      long peakBytes;
      try (OnnxRuntimeAllocator allocator =
              OnnxRuntimeAllocator.register("engine", host, BfcOptions.expandable());
          OrtSession ours = Engine.session(model, allocator)) {
        Engine.run(ours, inputs);
        peakBytes = allocator.statistics().peakBytesInUse();
      }
      BfcOptions half = BfcOptions.expandable().withLimit(peakBytes / 2);
      try (OnnxRuntimeAllocator allocator = OnnxRuntimeAllocator.register("half", host, half);
          OrtSession ours = Engine.session(model, allocator)) {
        for (int run = 0; run < 3; run++) {
          assertThat(Engine.run(ours, inputs)).usingRecursiveComparison().isEqualTo(expected);
        }
        assertThat(failure(allocator)).hasMessageContaining("limit=" + peakBytes / 2);
      }
      inputs.values().forEach(OnnxTensor::close);
    }
  }

  private static Throwable failure(OnnxRuntimeAllocator allocator) {
    try {
      allocator.check();
      throw new AssertionError("no request was refused");
    } catch (BfcOutOfMemoryException refused) {
      return refused;
    }
  }
}
