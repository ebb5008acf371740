package dev.stowage.tflite.micro;

import java.util.List;

/**
 * The scopes that a tensor, a scratch buffer or an operator is live in.
 *
 * <p>Time is counted in scopes: the inputs of the main subgraph exist from scope 0, and each
 * executed operator has a scope of its own.
 *
 * @param first the scope that first writes a tensor, or -1 if it is only read, or not used
 * @param last the last scope of a use, or -1 if there is none
 * @param reads the scopes of the operators that read a tensor. If its subgraph is executed several
 *     times, they are scopes of the first execution
 */
public record ScopeLifetime(int first, int last, List<Integer> reads) {

  /** Creates a lifetime. */
  public ScopeLifetime {
    reads = List.copyOf(reads);
  }

  /** {@return true if an executed subgraph uses it} */
  public boolean isUsed() {
    return last >= 0;
  }
}
