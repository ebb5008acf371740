package dev.stowage.tflite.order;

import dev.stowage.tflite.model.ModelOperator;
import dev.stowage.tflite.model.OperatorKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.tensorflow.lite.schema.BuiltinOperator;

/**
 * The order that operators must keep because they have effects other than their outputs.
 *
 * <p>Operators with effects keep their order. An operator that reads a variable stays between the
 * operators that may write the variable. {@code VAR_HANDLE} only names a variable, and has no
 * effect.
 */
final class EffectOrder {

  /** The largest code of an operator that this class knows. */
  private static final int LAST_KNOWN = 161;

  /** Operators with state or random numbers of their own, apart from variables with handles. */
  private static final List<Integer> STATEFUL =
      List.of(
          BuiltinOperator.LSH_PROJECTION,
          BuiltinOperator.LSTM,
          BuiltinOperator.RNN,
          BuiltinOperator.SVDF,
          BuiltinOperator.SKIP_GRAM,
          BuiltinOperator.UNIDIRECTIONAL_SEQUENCE_RNN,
          BuiltinOperator.UNIDIRECTIONAL_SEQUENCE_LSTM,
          BuiltinOperator.BIDIRECTIONAL_SEQUENCE_RNN,
          BuiltinOperator.BIDIRECTIONAL_SEQUENCE_LSTM,
          BuiltinOperator.HASHTABLE,
          BuiltinOperator.HASHTABLE_FIND,
          BuiltinOperator.HASHTABLE_IMPORT,
          BuiltinOperator.HASHTABLE_SIZE,
          BuiltinOperator.RANDOM_STANDARD_NORMAL,
          BuiltinOperator.RANDOM_UNIFORM,
          BuiltinOperator.MULTINOMIAL);

  /** Operators that execute other code, which may use any variable. */
  private static final List<Integer> OTHER_CODE =
      List.of(
          BuiltinOperator.CALL,
          BuiltinOperator.CUSTOM,
          BuiltinOperator.DELEGATE,
          BuiltinOperator.IF,
          BuiltinOperator.WHILE,
          BuiltinOperator.CALL_ONCE);

  private static final int NONE = -1;

  private final boolean[] isStateTensor;

  /** The variable of each handle, by tensor. */
  private final Map<Integer, String> variables = new HashMap<>();

  /** The last operator that may have written each variable. */
  private final Map<String, Integer> lastWriters = new HashMap<>();

  /** For each variable, the operators that read it after its last writer. */
  private final Map<String, List<Integer>> readers = new HashMap<>();

  private int lastWithEffects = NONE;
  private int lastOfOtherCode = NONE;

  /** The operators that read a variable since the last operator of other code. */
  private final List<Integer> readersSinceOtherCode = new ArrayList<>();

  /**
   * Creates the order of a subgraph.
   *
   * @param isStateTensor true for each tensor that is a variable without a handle
   */
  EffectOrder(boolean[] isStateTensor) {
    this.isStateTensor = isStateTensor;
  }

  /**
   * {@return the operators that must run before the next one because of effects}
   *
   * @param operator the next operator
   * @param index its index
   */
  List<Integer> next(ModelOperator operator, int index) {
    int code = operator.kind().builtinCode();
    TreeSet<Integer> before = new TreeSet<>();
    boolean isRead = code == BuiltinOperator.READ_VARIABLE && isOfKnownVariable(operator);
    boolean isWrite = code == BuiltinOperator.ASSIGN_VARIABLE && isOfKnownVariable(operator);
    if (code == BuiltinOperator.VAR_HANDLE) {
      operator.outputs().forEach(handle -> variables.put(handle, operator.variable()));
    } else if (isRead) {
      String variable = variable(operator);
      before.add(lastOfOtherCode);
      before.add(lastWriters.getOrDefault(variable, NONE));
      readers.computeIfAbsent(variable, _ -> new ArrayList<>()).add(index);
      readersSinceOtherCode.add(index);
    } else if (isWrite) {
      String variable = variable(operator);
      before.add(lastWithEffects);
      before.addAll(readers.getOrDefault(variable, List.of()));
      readers.remove(variable);
      lastWriters.put(variable, index);
      lastWithEffects = index;
    } else if (mayUseVariables(operator.kind())) {
      before.add(lastWithEffects);
      before.addAll(readersSinceOtherCode);
      readersSinceOtherCode.clear();
      lastOfOtherCode = index;
      lastWithEffects = index;
    } else if (hasOwnState(operator)) {
      before.add(lastWithEffects);
      lastWithEffects = index;
    }
    before.remove(NONE);
    return List.copyOf(before);
  }

  private boolean isOfKnownVariable(ModelOperator operator) {
    return !operator.inputs().isEmpty() && variables.containsKey(operator.inputs().getFirst());
  }

  private String variable(ModelOperator operator) {
    return variables.getOrDefault(operator.inputs().getFirst(), "");
  }

  /** {@return true if an operator may use variables that the subgraph does not show} */
  private static boolean mayUseVariables(OperatorKind kind) {
    int code = kind.builtinCode();
    return code > LAST_KNOWN
        || (OTHER_CODE.contains(code) && !kind.isDecode())
        || code == BuiltinOperator.READ_VARIABLE
        || code == BuiltinOperator.ASSIGN_VARIABLE;
  }

  private boolean hasOwnState(ModelOperator operator) {
    return STATEFUL.contains(operator.kind().builtinCode())
        || operator.inputs().stream().anyMatch(tensor -> isStateTensor[tensor])
        || operator.outputs().stream().anyMatch(tensor -> isStateTensor[tensor]);
  }
}
