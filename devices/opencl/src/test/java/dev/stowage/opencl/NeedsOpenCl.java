package dev.stowage.opencl;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips tests, with the reason, if there is no device of OpenCL. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsOpenCl.Condition.class)
@interface NeedsOpenCl {

  /** Looks for a device. */
  final class Condition implements ExecutionCondition {

    private static final String REASON =
        "needs OpenCL (Debian's ocl-icd-libopencl1 and pocl-opencl-icd): ";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return OpenClDevices.find()
          .absence()
          .map(absence -> ConditionEvaluationResult.disabled(REASON + absence))
          .orElseGet(() -> ConditionEvaluationResult.enabled("there is a device"));
    }
  }
}
