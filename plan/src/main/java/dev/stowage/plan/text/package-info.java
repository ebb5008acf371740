/** The texts of messages. */
package dev.stowage.plan.text;
