package dev.stowage.cuda;

import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs tests if the CUDA driver has a device, and prints the reason if not.
 *
 * <p>The context stays from the first test to the last: to make one takes the driver a good part of
 * a second.
 */
final class NeedsGpu implements ExecutionCondition, BeforeAllCallback {

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Optional<String> absence = CudaDevices.find().absence();
    return absence
        .map(reason -> ConditionEvaluationResult.disabled("needs a GPU with CUDA: " + reason))
        .orElseGet(() -> ConditionEvaluationResult.enabled("there is a CUDA device"));
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    context
        .getRoot()
        .getStore(ExtensionContext.Namespace.GLOBAL)
        .computeIfAbsent(NeedsGpu.class, _ -> CudaDevice.open(0));
  }
}
