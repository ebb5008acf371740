/** Services with DJL, langchain4j and Arrow, before and after a budget of their native memory. */
@org.jspecify.annotations.NullMarked
package dev.stowage.examples.nativememory;
