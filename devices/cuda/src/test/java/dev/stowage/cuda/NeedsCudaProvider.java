package dev.stowage.cuda;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtProvider;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs tests if ONNX Runtime has the CUDA provider and there is a GPU. */
final class NeedsCudaProvider implements ExecutionCondition {

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Optional<String> absence = CudaDevices.find().absence().or(NeedsCudaProvider::absence);
    return absence
        .map(reason ->
            ConditionEvaluationResult.disabled("needs a GPU and onnxruntime_gpu: " + reason))
        .orElseGet(() -> ConditionEvaluationResult.enabled("there is a CUDA provider"));
  }

  /** {@return the reason for which ONNX Runtime cannot use a GPU, if there is one} */
  static Optional<String> absence() {
    try {
      Class.forName(
          "ai.onnxruntime.OrtEnvironment", false, NeedsCudaProvider.class.getClassLoader());
    } catch (ClassNotFoundException absent) {
      return Optional.of(
          "sessions of ONNX Runtime are not checked: put onnxruntime_gpu on the class path");
    }
    return Provider.absence();
  }

  /** The classes of ONNX Runtime, which may be absent. */
  private static final class Provider {

    private Provider() {}

    static Optional<String> absence() {
      return OrtEnvironment.getAvailableProviders().contains(OrtProvider.CUDA)
          ? Optional.empty()
          : Optional.of(
              "sessions of ONNX Runtime are not checked: the library on the class path has no CUDA provider; put onnxruntime_gpu in front of it");
    }
  }
}
