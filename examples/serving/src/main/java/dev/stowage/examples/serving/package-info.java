/**
 * An example: the caches of keys and values of a language model, in memory that grows in place. A
 * recorded trace of requests shows how much memory they commit.
 */
@org.jspecify.annotations.NullMarked
package dev.stowage.examples.serving;
