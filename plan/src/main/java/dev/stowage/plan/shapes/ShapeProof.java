package dev.stowage.plan.shapes;

/** The result of a proof that a statement holds for all shapes of ranges. */
sealed interface ShapeProof {

  /** The statement holds for all shapes. */
  record Proved() implements ShapeProof {}

  /**
   * The statement does not hold for a shape.
   *
   * @param counterexample the shape
   * @param reason a phrase with the values
   */
  record Refuted(DimensionValues counterexample, String reason) implements ShapeProof {}

  /**
   * The prover found neither a proof nor a counterexample.
   *
   * @param reason a phrase that names the limit
   */
  record Undecided(String reason) implements ShapeProof {}

  /** {@return true if the statement holds for all shapes} */
  default boolean isProved() {
    return this instanceof Proved;
  }
}
