package dev.stowage.tflite;

import dev.stowage.core.plan.TensorScope;
import java.util.Locale;

/**
 * The options of a {@link TfliteReader}.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 */
public final class TfliteOptions {

  private static final TfliteOptions DEFAULTS =
      new TfliteOptions(TensorScope.INTERMEDIATES, InPlaceOperators.NONE);

  private final TensorScope scope;
  private final InPlaceOperators inPlace;

  private TfliteOptions(TensorScope scope, InPlaceOperators inPlace) {
    this.scope = scope;
    this.inPlace = inPlace;
  }

  /** {@return options for intermediate tensors, of which none may be in place of another} */
  public static TfliteOptions defaults() {
    return DEFAULTS;
  }

  /**
   * {@return these options with other tensors to plan}
   *
   * @param newScope the tensors to plan
   */
  public TfliteOptions withScope(TensorScope newScope) {
    return new TfliteOptions(newScope, inPlace);
  }

  /**
   * {@return these options with operators whose result may be in place of an input}
   *
   * <p>The input and the result must have the same number of bytes. No later operator and no other
   * input of the operator may read the input. Neither the input nor the result may be an input or
   * output of the graph. If two inputs qualify, the first one is chosen.
   *
   * @param operators the operators
   */
  public TfliteOptions withInPlace(InPlaceOperators operators) {
    return new TfliteOptions(scope, operators);
  }

  /** {@return the tensors to plan} */
  public TensorScope scope() {
    return scope;
  }

  /** {@return the operators whose result may be in place of an input} */
  public InPlaceOperators inPlace() {
    return inPlace;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "TfliteOptions[scope=%s, inPlace=%s]", scope, inPlace);
  }
}
