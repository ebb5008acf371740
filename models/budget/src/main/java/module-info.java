/** The measured memory of a service as a function of dimensions, read from a profile. */
@org.jspecify.annotations.NullMarked
module dev.stowage.budget {
  requires transitive dev.stowage.plan;
  requires static org.jspecify;

  exports dev.stowage.budget;
}
